import type { Example } from "./FENInput";

/** The default examples of `FENInput`: three positions of its default game. */
export const EXAMPLES: readonly Example[] = [
  {
    name: "Start",
    fen: "BYRK|WBYR|KWBY|RKWB|YRKW/-/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0",
    description: "The start position",
  },
  {
    name: "Midgame",
    fen: "----|----|----|----|BBRW/BBYYYY/-YR--|--Y-K|-W---|----Y|--K--/-----|-----|-----|WWWW-|BBBBB/-/-Y-K-|W---K|-WB--|-----|-R---/B----|RR---|RR---|B----|-----/-/8,7/3/0",
    description: "The middle of a game",
  },
  {
    name: "Endgame",
    fen: "----|----|----|----|BYYR/RW/-YR-W|-BY-K|-WB-R|--W-Y|--KWB/-----|-----|-----|KKK--|RRR--/-/BYRK-|W-YRK|KWB-R|-----|YR---/W----|BB---|YYY--|BB---|KK---/-/33,31/5/0",
    description: "Near the end of a game",
  },
];
