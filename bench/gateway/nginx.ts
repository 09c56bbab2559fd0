import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Configures one worker with kept-alive connections to the upstream, as the nginx manual recommends. @returns
 * the file's path
 */
export function writeNginxConfig(dir: string, port: number, upstreamPort: number): string {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `  ${name}_temp_path ${dir}/${name};`)
    .join('\n');
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  writeFileSync(
    path,
    `${user}worker_processes 1;
daemon off;
pid ${dir}/nginx.pid;
error_log ${dir}/error.log;
events { worker_connections 1024; }
http {
${temporary}
  access_log off;
  keepalive_requests 100000000;
  upstream service {
    server 127.0.0.1:${upstreamPort};
    keepalive 64;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`,
  );
  return path;
}
