import type { Sample } from "./sample.ts";

/** Characters that are composed of several code points. */
export const MARKS_AND_EMOJI: Sample[] = [
  {
    name: "emoji",
    language: "en",
    texts: [
      "👩‍👩‍👧‍👦",
      "Join us 🎉🇧🇷",
      "Family day 👨‍👩‍👧 🏳️‍🌈",
      "From 🇳🇴 to 🇯🇵 in a day ✈️",
      "The whole crew 👩🏽‍🚀👨🏿‍🔬🧑🏻‍🎨 meets at the harbour 🌊",
      "A year of ☀️ and 🌧️: we planted 🌱, we watched it grow 🌳, and the neighbours 👨‍👩‍👧‍👦 came by with 🥧 every Sunday.",
    ],
  },
  {
    name: "combining-marks",
    language: "en",
    texts: [
      "Z̵̧a̶l̴g̷",
      "q̃ n̈ x̂ m̄ ŕ̩",
      "Résumé naïve Å",
      "Marks: a̐éö̲ m̂n̂ x́ỳ and r̃",
      "A line with a̐éö̲ and ọ̀ẹ́ṣ, then q̃ and m̄n̄ as they stand",
      "Letters can carry marks above and below: a̐, é, ö̲, ọ̀, ẹ́, ṣ, q̃, m̄, n̈, x̂, ŕ̩ — and each keeps its place on the line.",
    ],
  },
];
