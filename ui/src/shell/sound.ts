/** Short synthesized tones: one for a move, a lower one for a capture, two for the end of a game. */

/** The event that a sound is played for. */
export type Sound = "move" | "capture" | "end";

/** The tones of each sound: frequency in hertz and start in seconds. */
const TONES: Record<Sound, readonly [hertz: number, delay: number][]> = {
  move: [[440, 0]],
  capture: [[220, 0]],
  end: [
    [330, 0],
    [494, 0.12],
  ],
};
const TONE_SECONDS = 0.09;

let audio: AudioContext | null = null;

/** Play the tones of `kind`. Do nothing if the browser has no audio. */
export function playSound(kind: Sound): void {
  if (typeof AudioContext !== "function") return;
  audio ??= new AudioContext();
  for (const [hertz, delay] of TONES[kind]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + delay;
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}
