/**
 * The whole body of an answer.
 * @param tooLong made and thrown beyond `bytesMax`; leaving the loop ends the stream
 */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
  tooLong = () => new Error(`the answer is longer than ${bytesMax} bytes`),
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > bytesMax) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
