import { useMemo, useRef } from "react";
import { useBeforePaint } from "../beforePaint";
import { parsePicture, wear } from "./picture";

/** A small drawing inside a button or a list; who uses it says what it shows. */
export function Thumb({ svg, className = "thumb" }: { svg: string; className?: string }) {
  const host = useRef<HTMLSpanElement>(null);
  const picture = useMemo(() => parsePicture(svg), [svg]);
  useBeforePaint(() => {
    if (!host.current || !picture) return;
    const node = document.importNode(picture.root, true);
    const takeOff = wear(node, picture.style);
    host.current.replaceChildren(node);
    return takeOff;
  }, [picture]);
  return <span ref={host} className={className} aria-hidden="true" />;
}
