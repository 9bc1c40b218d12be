/** Short tones, made here and not loaded: one for a move, a lower one for a capture, two for the end. */

export type Sound = "move" | "capture" | "end";

const TONES: Record<Sound, readonly [hertz: number, after: number][]> = {
  move: [[440, 0]],
  capture: [[220, 0]],
  end: [
    [330, 0],
    [494, 0.12],
  ],
};
const SECONDS = 0.09;

let audio: AudioContext | null = null;

export function sound(kind: Sound): void {
  if (typeof AudioContext !== "function") return;
  audio ??= new AudioContext();
  for (const [hertz, after] of TONES[kind]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const from = audio.currentTime + after;
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.12, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + SECONDS);
  }
}
