/** Reading and saving text files. */

/** Decode a file as UTF-8, or as Windows-1252 if it is not valid UTF-8. Return "" if there is no file. */
export async function textOfFile(file: File | undefined): Promise<string> {
  const bytes = await file?.arrayBuffer();
  if (!bytes) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Download `text` as a file called `name`. */
export function saveAsFile(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
