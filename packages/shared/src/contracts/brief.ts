/** What a deck is asked to be: its brief, and the templates of its slide images. */
import { z } from 'zod';
import { answerList, textField, urlField } from './answer-fields.ts';
import { arrayOf, body, filledText, idText, integer, oneOf } from './fields.ts';
import { defineRoute } from './route.ts';

export const archetypes = ['listicle', 'transformation', 'pov_results', 'authority', 'motivational'] as const;
export const ctaModes = ['soft', 'direct', 'none'] as const;
export const templateIds = ['quote-card', 'photo-card', 'screenshot-card'] as const;
/** Where the text of a slide stands. */
export const slidePositions = ['top', 'middle', 'bottom'] as const;

/** Input to content generation; also used by automations (API-2, D-35 to D-38 and D-48). */
export const Brief = body({
  topic: filledText(500).optional(),
  archetype: oneOf(archetypes).optional(),
  hook: filledText(300).optional().meta({ description: 'Used word for word instead of a generated one.' }),
  slideCount: integer(2, 10).optional().meta({
    description:
      'Total slides with the hook and the closing slide. Default 6, unless a hook promises a count.',
  }),
  ctaMode: oneOf(ctaModes).optional().meta({ description: 'Default `soft`.' }),
  templateId: oneOf(templateIds).optional().meta({
    description: 'Gives finished slide images; `GET /templates` shows them. Without it, only texts.',
  }),
  pictureIds: arrayOf(idText(), 0, 10, 'picture ids').optional().meta({
    description:
      'Pictures of the app for a template that needs them, in the order of the slides. Default: its own, oldest first.',
  }),
}).meta({ id: 'Brief' });
export type Brief = z.infer<typeof Brief>;

export const exampleBrief: Brief = { topic: 'morning habits', templateId: 'quote-card', slideCount: 3 };
export const Template = z
  .object({
    id: z.enum(templateIds),
    name: textField,
    description: textField,
    sampleUrls: answerList(urlField, 10).meta({ description: 'Sample slides, open to everyone.' }),
    needsPictures: z.boolean().meta({ description: 'Draws pictures of the app; it must have at least one.' }),
  })
  .meta({ id: 'Template' });

export const listTemplates = defineRoute({
  id: 'listTemplates',
  method: 'GET',
  path: '/templates',
  service: 'content',
  auth: 'key',
  scopes: ['content:read'],
  summary: 'List the templates of slide images',
  description: 'Each with sample slides. `brief.templateId` names one of them.',
  status: 200,
  response: z.object({ data: answerList(Template, 20) }),
  errors: [],
  example: {
    response: {
      data: [
        {
          id: 'photo-card',
          name: 'Photo card',
          description: 'Your pictures over the whole slide, darkened under the text as far as it needs.',
          sampleUrls: ['http://localhost:8080/media/templates/photo-card-1.jpg'],
          needsPictures: true,
        },
      ],
    },
  },
});
