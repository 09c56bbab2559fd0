// A container's health check: exit code 0 when its own address answers. The image has no curl.
// biome-ignore lint/style/noProcessEnv: it runs in any image of the product, the simulators' too.
const port = process.env.PORT ?? '8080';
const path = process.argv[2] ?? '/readyz';
try {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(3_000) });
  if (response.ok) process.exit(0);
  console.error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
} catch (error) {
  console.error(`${path} gave no answer: ${error.cause?.message ?? error.message}`);
}
process.exit(1);
