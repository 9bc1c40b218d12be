const EMPTY = "-----|-----|-----|-----|-----";

export const START = `BYRK|WBYR|KWBY|RKWB|YRKW/-/${EMPTY}/${EMPTY}/-/${EMPTY}/${EMPTY}/-/0,0/1/0`;

export const exampleFENs = [
  { name: "Start", fen: START, description: "The first offer" },
  {
    name: "Midgame",
    fen: "----|----|----|----|BBRW/BBYYYY/-YR--|--Y-K|-W---|----Y|--K--/-----|-----|-----|WWWW-|BBBBB/-/-Y-K-|W---K|-WB--|-----|-R---/B----|RR---|RR---|B----|-----/-/8,7/3/0",
  },
  { name: "Cut off", fen: "BYRK|WBYR|KWBY|RKWB|YRKW", description: "The factories and nothing else" },
];

export const chessFENs = [
  { name: "Start", fen: "start" },
  { name: "Ruy López", fen: "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3" },
];
