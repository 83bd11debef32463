/** Returns the text of a data element, or an empty one. */
export function textOf(id: string): string {
  return document.getElementById(id)?.textContent?.trim() ?? '';
}

/** Returns the bytes of a data element, which is base64 of gzip; undefined where it is absent or empty. */
export async function bytesOf(id: string): Promise<Uint8Array | undefined> {
  const text = textOf(id);
  return text === '' ? undefined : unzip(fromBase64(text, id), id);
}

function fromBase64(text: string, id: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    const { fromBase64: decode } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
    if (decode) return decode.call(Uint8Array, text);
    binary = atob(text);
  } catch {
    throw new Error(`the element ${id} is not in base64`);
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

async function unzip(bytes: Uint8Array<ArrayBuffer>, id: string): Promise<Uint8Array> {
  if (typeof DecompressionStream === 'undefined') throw new Error('this browser is too old: it has no DecompressionStream');
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(`the element ${id} is not in gzip`);
  }
}
