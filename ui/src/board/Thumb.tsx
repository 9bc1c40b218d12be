import { useMemo, useRef } from "react";
import { useBeforePaint } from "../beforePaint";
import { parsePicture, applyStyle } from "./picture";

/** A small drawing inside a button or a list. It is hidden from screen readers: the caller must provide a label. */
export function Thumb({ svg, className = "thumb" }: { svg: string; className?: string }) {
  const container = useRef<HTMLSpanElement>(null);
  const picture = useMemo(() => parsePicture(svg), [svg]);
  useBeforePaint(() => {
    if (!container.current || !picture) return;
    const node = document.importNode(picture.root, true);
    const removeStyle = applyStyle(node, picture.style);
    container.current.replaceChildren(node);
    return removeStyle;
  }, [picture]);
  return <span ref={container} className={className} aria-hidden="true" />;
}
