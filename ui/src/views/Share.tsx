import { useState } from "react";
import { drawingUrl, embedUrl, type GameHint } from "../api/client";
import type { Theme } from "../api/types";
import { CopyButton } from "../shell/parts";
import { drawingChoices, useSettings } from "../shell/settings";
import { positionQuery } from "./queries";

interface Props {
  text: string;
  hint: GameHint;
  theme: Theme;
  flip?: boolean;
  /** Name for the labels, if several boards are on the page. */
  name?: string;
}

/** Width of a downloaded picture, in pixels. */
const PICTURE_WIDTH = 1024;
/** Size of an embedded position, in pixels. */
const FRAME_SIZE = { width: 480, height: 560 };

/** A button that opens a list: pictures to download, a link, and code for embedding. */
export function Share({ text, hint, theme, flip = false, name = "" }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const look = { flip, ...drawingChoices(useSettings(), hint.game) };
  const suffix = name ? ` of ${name}` : "";
  const pictureLink = (kind: "svg" | "png") => (
    <a href={drawingUrl(kind, text, hint, { ...look, theme, size: PICTURE_WIDTH })} download={`position.${kind}`} aria-label={`${kind.toUpperCase()}${suffix}`}>
      {kind.toUpperCase()}
    </a>
  );
  return (
    <>
      <button type="button" className="link" disabled={!text} aria-expanded={isOpen} aria-label={name ? `Share ${name}` : undefined} onClick={() => setIsOpen(!isOpen)}>
        Share
      </button>
      {isOpen && text ? (
        <span className="share" role="group" aria-label={`Share${suffix}`}>
          {pictureLink("svg")}
          {pictureLink("png")}
          <CopyButton text={shareLink(text, hint)} label="Copy link" />
          <CopyButton text={embedCode(embedUrl(text, hint, { ...look, theme: "auto" }))} label="Copy embed code" />
        </span>
      ) : null}
    </>
  );
}

/** Return the link to a text on this page. */
function shareLink(text: string, { game = "", variant = "" }: GameHint): string {
  const suffixQuery = game || variant ? positionQuery("", game, variant) : "";
  return new URL(`/p/${encodeURIComponent(text)}${suffixQuery}`, location.origin).href;
}

/** Return the HTML that embeds the page at `path`. */
function embedCode(path: string): string {
  const address = new URL(path, location.origin).href.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${address}" width="${FRAME_SIZE.width}" height="${FRAME_SIZE.height}" style="border:0" title="A position" loading="lazy"></iframe>`;
}
