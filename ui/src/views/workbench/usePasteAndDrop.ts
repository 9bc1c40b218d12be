import { useState, type ClipboardEvent, type DragEvent } from "react";
import { api, errorMessage } from "../../api/client";
import { openWithText } from "../../shell/handover";
import { textOfFile } from "../../text/files";
import { linesOf, classifyPaste } from "../../text/pastedContent";

/** Maximum length of several lines that may be one text, wrapped by a mail program, in characters. */
const MAX_WRAPPED_LENGTH = 1024;

/**
 * Handle pasted text, dropped files and chosen files.
 *
 * A position is passed to `setText`. A game record opens *Play*, and many texts open *Many*.
 */
export function usePasteAndDrop(setText: (text: string) => void) {
  const [problem, setProblem] = useState("");
  const [isDraggedOver, setIsDraggedOver] = useState(false);

  const openContent = async (content: string) => {
    setProblem("");
    const { kind, text } = classifyPaste(content);
    if (kind === "record") return openWithText("/play", text);
    if (kind === "many" && !(await isOneText(text))) return openWithText("/many", text);
    setText(text.replaceAll(/\s*[\r\n]+\s*/g, " "));
  };
  const openFile = async (file: File | undefined) => {
    try {
      const content = await textOfFile(file);
      if (content.trim()) await openContent(content);
      else setProblem("This file is empty.");
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const [file] = event.clipboardData.files;
    const content = event.clipboardData.getData("text");
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    // A pasted fragment is inserted by the browser. Complete content replaces the whole text.
    const isPlainText = !file && classifyPaste(content).kind === "text" && classifyPaste(content).text === content.trim();
    const isInsertion = selectionEnd - selectionStart < value.length && value.trim() !== "";
    if (isPlainText && (isInsertion || !content.includes("\n"))) return;
    event.preventDefault();
    void (file ? openFile(file) : openContent(content));
  };

  const hasContent = (event: DragEvent) => event.dataTransfer.types.includes("Files") || event.dataTransfer.types.includes("text/plain");
  const dropArea = {
    onDragOver: (event: DragEvent) => {
      if (!hasContent(event)) return;
      event.preventDefault();
      setIsDraggedOver(true);
    },
    onDragLeave: () => setIsDraggedOver(false),
    onDrop: (event: DragEvent) => {
      setIsDraggedOver(false);
      if (!hasContent(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      void (file ? openFile(file) : openContent(event.dataTransfer.getData("text/plain")));
    },
  };
  return { onPaste, openFile, dropArea, isDraggedOver, problem };
}

/** Report whether several lines are one text: the service reads all lines together, but not the first line alone. */
async function isOneText(text: string): Promise<boolean> {
  if (text.length > MAX_WRAPPED_LENGTH) return false;
  try {
    const [firstLine = ""] = linesOf(text);
    if ((await api.read({ text: firstLine })).position) return false;
    return Boolean((await api.read({ text: text.replaceAll(/\s*[\r\n]+\s*/g, " ") })).position);
  } catch {
    return false;
  }
}
