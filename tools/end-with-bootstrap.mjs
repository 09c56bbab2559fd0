// Preloaded into the command that the bootstrap runs. The command has its own process group, so a kill -9 of
// the bootstrap (or of npm's whole group) would leave it running with its ports: it exits as abruptly as its
// parent did. Any other signal is forwarded and does not reach this code. It also ends, in silence, when the
// reader of its output has seen enough (`npm run doctor | head`).
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// Workers and forked children inherit this preload, but not the pipe.
if (isMainThread && process.ppid === Number(process.env.HOOKLINE_BOOTSTRAP_PID)) {
  const pipe = new Socket({ fd: 3, readable: true, writable: false });
  pipe.on('error', () => {});
  pipe.on('close', () => process.kill(process.pid, 'SIGKILL'));
  pipe.resume();
  pipe.unref();
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', error => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
}
