/** The content service under test, together with the simulated app stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Content } from '@hookline/shared/contracts/content';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { startSimulators } from '@hookline/simulators/simulators';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '@hookline/testing/service-harness';
import { controlToken } from '@hookline/testing/simulator-controls';
import { content } from '../src/service.ts';

export type ContentUnderTest = {
  service: TestService;
  simulatorsUrl: string;
  dataDir: string;
  importApp(caller: Caller): Promise<string>;
  create(caller: Caller, body: unknown, key?: string): ReturnType<TestService['call']>;
  /** Creates a ready quote-card deck. */
  readyDeck(caller: Caller): Promise<Content>;
  stop(): Promise<void>;
};

export const pebblo = 'https://apps.apple.com/us/app/pebblo-tiny-habit-tracker/id9990000011';

export async function startContent(options: TestServiceOptions = {}): Promise<ContentUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-content-'));
  const simulators = await startSimulators({ port: 0, controlToken, dataDir: join(dataDir, 'simulators') });
  const simulatorsUrl = `http://localhost:${simulators.port}`;
  const service = await startTestService(content, {
    ...options,
    env: {
      PUBLIC_URL: 'http://localhost:8080',
      DATA_DIR: dataDir,
      APP_STORE_URL: `${simulatorsUrl}/appstore`,
      GOOGLE_PLAY_URL: `${simulatorsUrl}/googleplay`,
      ...options.env,
    },
  });
  const create: ContentUnderTest['create'] = (caller, body, key = newId('req')) =>
    service.call('POST', '/v1/content', { caller, body, headers: { 'idempotency-key': key } });
  const importApp = async (caller: Caller): Promise<string> => {
    const answer = await service.call('POST', '/v1/apps', {
      caller,
      body: { name: 'Pebblo', appStoreUrl: pebblo },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return (answer.body as { data: { id: string } }).data.id;
  };
  return {
    service,
    simulatorsUrl,
    dataDir,
    importApp,
    create,
    async readyDeck(caller) {
      const appId = await importApp(caller);
      const answer = await create(caller, { appId, type: 'slideshow', brief: { templateId: 'quote-card' } });
      if (answer.status !== 201) throw new Error(answer.text);
      return (answer.body as { data: Content }).data;
    },
    async stop() {
      await service.stop();
      await simulators.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The code of the envelope, or the whole text if it is not an envelope. */
export function codeOf(answer: { body: unknown; text: string }): string {
  return (answer.body as { error?: { code: string } })?.error?.code ?? answer.text;
}

export function messageOf(answer: { body: unknown }): string {
  return (answer.body as { error?: { message: string } })?.error?.message ?? '';
}

export function dataOf<T>(answer: { body: unknown }): T {
  return (answer.body as { data: T }).data;
}
