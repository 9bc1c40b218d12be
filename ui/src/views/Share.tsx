import { useState } from "react";
import { drawing, embedded, type Told } from "../api/client";
import type { Theme } from "../api/types";
import { CopyButton } from "../shell/parts";
import { lookOf, useSettings } from "../shell/settings";
import { onwardQuery } from "./onward";

interface Props {
  text: string;
  told: Told;
  theme: Theme;
  flip?: boolean;
  /** What is shared, where several boards are on the page. */
  name?: string;
}

/** Width of a picture that is kept, in pixels. */
const PICTURE = 1024;
const FRAME = { width: 480, height: 560 };

/** What can be taken away of a board: pictures, a link, and code for a page of one's own. */
export function Share({ text, told, theme, flip = false, name = "" }: Props) {
  const [open, setOpen] = useState(false);
  const look = { flip, ...lookOf(useSettings(), told.game) };
  const of = name ? ` of ${name}` : "";
  const picture = (kind: "svg" | "png") => (
    <a href={drawing(kind, text, told, { ...look, theme, size: PICTURE })} download={`position.${kind}`} aria-label={`${kind.toUpperCase()}${of}`}>
      {kind.toUpperCase()}
    </a>
  );
  return (
    <>
      <button type="button" className="link" disabled={!text} aria-expanded={open} aria-label={name ? `Share ${name}` : undefined} onClick={() => setOpen(!open)}>
        Share
      </button>
      {open && text ? (
        <span className="share" role="group" aria-label={`Share${of}`}>
          {picture("svg")}
          {picture("png")}
          <CopyButton text={linkOf(text, told)} label="Copy link" />
          <CopyButton text={frameOf(embedded(text, told, { ...look, theme: "auto" }))} label="Copy embed code" />
        </span>
      ) : null}
    </>
  );
}

/** The address of the page that shows a text. */
function linkOf(text: string, { game = "", variant = "" }: Told): string {
  const told = game || variant ? onwardQuery("", game, variant) : "";
  return new URL(`/p/${encodeURIComponent(text)}${told}`, location.origin).href;
}

function frameOf(path: string): string {
  const address = new URL(path, location.origin).href.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${address}" width="${FRAME.width}" height="${FRAME.height}" style="border:0" title="A position" loading="lazy"></iframe>`;
}
