import { archetypes, ctaModes } from '@hookline/shared/contracts/content';
import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../eval/decks.ts';
import { judgeDeck } from '../../eval/judge.ts';
import english3 from '../../eval/listings/holdout-3.json' with { type: 'json' };
import english4 from '../../eval/listings/holdout-4.json' with { type: 'json' };
import { composeDeck, composeWithTrace } from '../composer.ts';
import { extractMaterial } from '../listing/material.ts';
import { readSteps } from './steps.ts';
import { actingPeople, readPromise, readSubject } from './subject.ts';

const listings = [...english3, ...english4];
const listingOf = (name: string) => listings.find(listing => listing.name.startsWith(name))!;
const materialOf = (name: string) => extractMaterial(sourceOf(listingOf(name)));
const stepsOf = (name: string) => readSteps({ material: materialOf(name), language: 'en' });

/** A listing in German and one in Spanish, of apps that no pack of their language was written for. */
const foreign = [
  {
    name: 'Ofenbuch – Töpfern & Brennen',
    category: 'Lifestyle',
    country: 'de',
    store: 'apple' as const,
    description:
      'Was hast du gebrannt, wie heiß, und warum ist es gerissen?\n\n• Leg jede Charge mit Datum ab\n• Probekacheln mit Foto vergleichen\n• Platz im Ofen reservieren, bevor die anderen kommen\n• Erinnert dich an die Ofenklappe\n\nFür Töpferinnen, Kursleiter und Werkstätten.',
  },
  {
    name: 'Carril Libre',
    category: 'SPORTS',
    country: 'es',
    store: 'google' as const,
    description:
      'Carril Libre reserva tu calle antes de que hierva el café.\n\n✓ Mira qué calles van llenas\n✓ Reserva la misma hora cada semana\n✓ Cuenta los largos desde la muñeca\n✓ Horarios de piscinas al aire libre\n\nPara nadadores, entrenadores y triatletas.',
  },
];

it.each([...listings.map(sourceOf), ...foreign].map(app => [app.name, app] as const))(
  'a deck of %s has no fault that a script can find, whatever its archetype, mode and length',
  (_, app) => {
    const faults = archetypes.flatMap(archetype =>
      ctaModes.flatMap(ctaMode =>
        Array.from({ length: 20 }, (_, i) => {
          const request = {
            seed: `content_${i}`,
            app,
            brief: { archetype, ctaMode, slideCount: 2 + (i % 9) },
          };
          return judgeDeck(request, composeDeck(request));
        }).flat(),
      ),
    );
    const told = faults.flatMap(({ question, fault }) => (fault === null ? [] : [`${question}: ${fault}`]));
    expect([...new Set(told)]).toEqual([]);
  },
);

it('shows on its slides what the listing lets people do, in every deck of five slides or more', () => {
  for (const name of ['Undertow', 'Kilnkeeper', 'Verger', 'Tonguetwist']) {
    const acts = stepsOf(name).map(({ act }) => act.toLowerCase());
    for (const archetype of archetypes) {
      const brief = { archetype, slideCount: 7 };
      const { result } = composeDeck({ seed: `${name} ${archetype}`, app: sourceOf(listingOf(name)), brief });
      const shown = result.bodySlides.map(({ text }) => text.toLowerCase()).join('\n');
      expect([name, archetype, acts.some(act => shown.includes(act))]).toEqual([name, archetype, true]);
    }
  }
});

it('makes no more than one in ten of the covers of an app from one template', () => {
  for (const name of ['Undertow', 'Kilnkeeper', 'Skep']) {
    const app = sourceOf(listingOf(name));
    const templates = Array.from(
      { length: 200 },
      (_, i) => composeWithTrace({ seed: `content_${i}`, app, brief: {} }).skeletons[0]!,
    );
    const often = Object.entries(Object.groupBy(templates, template => template)).filter(
      ([, same]) => same!.length > 20,
    );
    expect([name, often.map(([template, same]) => `${template}: ${same!.length}`)]).toEqual([name, []]);
  }
});

describe('readSteps', () => {
  it('takes what the app does as what the reader wants done', () => {
    const acts = stepsOf('Undertow').map(({ act }) => act);
    expect(acts).toContain('count your lengths from the wrist');
    expect(acts).toContain('cancel cleanly, so nobody waits for you');
  });

  it('reads a reminder as what it is about, and a thing as how it is used', () => {
    const steps = stepsOf('Kilnkeeper').map(({ act, activity }) => [act, activity.id]);
    expect(steps).toContainEqual(['open the damper', 'remind']);
    expect(steps).toContainEqual(['work from a cone chart for orton and seger', 'any']);
  });

  it('knows what an order is about', () => {
    const things = stepsOf('Kilnkeeper').map(({ thing }) => thing);
    expect(things.filter(Boolean)).toEqual(['firing curve', 'test tile']);
  });

  it('turns German and Spanish orders into infinitives', () => {
    const actsOf = (i: number, language: string) =>
      readSteps({ material: extractMaterial(foreign[i]!), language }).map(
        ({ act, activity }) => `${activity.id}: ${act}`,
      );
    expect(actsOf(0, 'de')).toEqual([
      'record: jede Charge mit Datum ablegen',
      'compare: Probekacheln mit Foto vergleichen',
      'book: Platz im Ofen reservieren, bevor die anderen kommen',
    ]);
    expect(actsOf(1, 'es')).toEqual([
      'look: mirar qué calles van llenas',
      'book: reservar la misma hora cada semana',
      'measure: contar los largos desde la muñeca',
    ]);
  });
});

describe('what a listing is about', () => {
  it.each([
    ['Undertow', 'swim lane', 'book your lane before the kettle has boiled'],
    ['Kilnkeeper', 'pottery firing', null],
    ['Left Behind', 'lost property', null],
    ['Verger', null, 'keep a small church running when the vicar has five of them'],
  ])('%s: %s, %s', (name, subject, promise) => {
    expect([readSubject(materialOf(name)), readPromise(materialOf(name))]).toEqual([subject, promise]);
  });

  it('tells people from places', () => {
    const named = [
      'studio potters',
      'museums',
      'parish secretaries',
      'people in training',
      'railway stations',
    ];
    expect(actingPeople(named, 'en')).toEqual(['studio potters', 'parish secretaries', 'people in training']);
  });
});
