import { useState, type ClipboardEvent, type DragEvent } from "react";
import { api, sentence } from "../../api/client";
import { handOver } from "../../shell/handover";
import { textOfFile } from "../../text/files";
import { linesOf, pasted } from "../../text/pasted";

/** Most characters of several lines that may be one text broken by a mailer. */
const ONE_TEXT = 1024;

/**
 * Takes what is pasted, dropped or chosen as a file: a position goes into the field, a record to where games are played,
 * many texts to where they are read together.
 */
export function useIntake(put: (text: string) => void) {
  const [refused, setRefused] = useState("");
  const [over, setOver] = useState(false);

  const take = async (words: string) => {
    setRefused("");
    const { kind, text } = pasted(words);
    if (kind === "record") return handOver("/play", text);
    if (kind === "many" && !(await isOne(text))) return handOver("/many", text);
    put(text.replaceAll(/\s*[\r\n]+\s*/g, " "));
  };
  const takeFile = async (file: File | undefined) => {
    try {
      const words = await textOfFile(file);
      if (words.trim()) await take(words);
      else setRefused("This file is empty.");
    } catch (error) {
      setRefused(sentence(error));
    }
  };

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const [file] = event.clipboardData.files;
    const words = event.clipboardData.getData("text");
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    // A part of a text may be pasted into another one; what stands for itself takes the whole place.
    const plain = !file && pasted(words).kind === "text" && pasted(words).text === words.trim();
    const part = selectionEnd - selectionStart < value.length && value.trim() !== "";
    if (plain && (part || !words.includes("\n"))) return;
    event.preventDefault();
    void (file ? takeFile(file) : take(words));
  };

  const carries = (event: DragEvent) => event.dataTransfer.types.includes("Files") || event.dataTransfer.types.includes("text/plain");
  const dropArea = {
    onDragOver: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!carries(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      void (file ? takeFile(file) : take(event.dataTransfer.getData("text/plain")));
    },
  };
  return { onPaste, takeFile, dropArea, over, refused };
}

/** Whether several lines are one text: the service reads them as one, and not the first of them alone. */
async function isOne(text: string): Promise<boolean> {
  if (text.length > ONE_TEXT) return false;
  try {
    const [first = ""] = linesOf(text);
    if ((await api.read({ text: first })).position) return false;
    return Boolean((await api.read({ text: text.replaceAll(/\s*[\r\n]+\s*/g, " ") })).position);
  } catch {
    return false;
  }
}
