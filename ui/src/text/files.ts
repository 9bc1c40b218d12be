/** Files as texts, and texts as files. */

/** A file as text: UTF-8, else the letters of older files; nothing of it is left out. */
export async function textOfFile(file: File | undefined): Promise<string> {
  const bytes = await file?.arrayBuffer();
  if (!bytes) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Let the visitor keep a text as a file. */
export function saveAsFile(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
