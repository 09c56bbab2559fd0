import type { AddressInfo } from 'node:net';
import { buildApp } from './app.ts';
import { type SmtpServer, startSmtp } from './mail/smtp.ts';
import type { SimulatorsOptions } from './options.ts';
import { claimFolder } from './state/claim.ts';
import { createPuller, type Puller } from './tiktok/pull.ts';
import { armShare } from './tiktok/shares.ts';
import { resumeWebhooks } from './tiktok/webhooks.ts';
import { openWorld, type World } from './world.ts';

export type Simulators = {
  url: string;
  /** Lets the browser that opens it into the mailbox and the controls. */
  enterUrl: string;
  port: number;
  smtpPort: number;
  close(): Promise<void>;
};

/**
 * Starts TikTok, the two app stores, YouTube, Instagram and a text model on one port, and an SMTP
 * server on another. Base URLs are `url` plus `/tiktok`, `/appstore`, `/googleplay`, `/youtube`,
 * `/instagram`, `/llm/v1`. Work in progress at the last stop or kill continues. Rejects with
 * EADDRINUSE when the port is taken.
 */
export async function startSimulators(options: SimulatorsOptions): Promise<Simulators> {
  const release = await claimFolder(options.dataDir);
  const world = openWorld(options);
  const puller = createPuller(world);
  const app = buildApp(world, puller);
  let smtp: SmtpServer;
  try {
    await app.listen({ port: options.port, host: world.settings.host });
    smtp = await startSmtp(world, options.smtpPort ?? 0);
  } catch (error) {
    await app.close();
    world.journal.close();
    release();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  world.settings.port = port;
  if (options.publicUrl === undefined) world.settings.publicUrl = `http://localhost:${port}`;
  goOn(world, puller);
  return {
    url: world.settings.publicUrl,
    enterUrl: `${world.settings.publicUrl}/_enter?token=${world.settings.controlToken}`,
    port,
    smtpPort: smtp.port,
    close: async () => {
      world.stopped.abort();
      await app.close();
      await smtp.close();
      await puller.close();
      world.journal.close();
      release();
    },
  };
}

function goOn(world: World, puller: Puller): void {
  for (const share of world.tiktok.shares.values()) {
    if (share.status === 'PROCESSING_DOWNLOAD') puller.start(share);
    else armShare(world, share.publishId);
  }
  resumeWebhooks(world);
}
