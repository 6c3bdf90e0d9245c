import type { Sample } from "./sample.ts";

/** Languages in the Latin, Greek and Cyrillic alphabets, and capitals alone. */
export const LATIN_GREEK_CYRILLIC: Sample[] = [
  {
    name: "capitals",
    language: "en",
    texts: [
      "NOVA",
      "GRAND TOUR",
      "THE HARBOUR PRIZE",
      "OPEN HOUSE AT THE OLD QUAY MILL",
      "EVERYTHING WE MADE THIS YEAR, ON ONE LONG TABLE BY THE WATER",
      "WHOEVER KEEPS A GARDEN NEAR THE SEA LEARNS PATIENCE FIRST, THEN SALT, AND ONLY MUCH LATER, IF AT ALL, ANYTHING ABOUT ROSES.",
    ],
  },
  {
    name: "german",
    language: "de",
    texts: [
      "Straße",
      "Wärmepumpe",
      "Künstliche Intelligenz",
      "Straßenverkehrszulassungsordnung",
      "Donaudampfschifffahrtsgesellschaft erneuert Verträge",
      "Unsere Straßenverkehrszulassungsordnung ist lang, und die Grundstücksverkehrsgenehmigungszuständigkeit noch länger.",
    ],
  },
  {
    name: "vietnamese",
    language: "vi",
    texts: [
      "Ậm ừ",
      "Nguyễn Thị Ngọc",
      "Đường về quê mẹ",
      "Tiếng Việt có nhiều dấu chồng lên nhau",
      "Những ngày hè rực rỡ ở Huế, người bạn cũ kể chuyện đời mình",
      "Ngày xửa ngày xưa, ở một làng nọ có một người thợ cũ kỹ, mỗi buổi sớm ngồi đợi chuyến tàu đầu tiên về phố Huế.",
    ],
  },
  {
    name: "yoruba",
    language: "yo",
    texts: [
      "Ọ̀ṣun",
      "Ẹ̀kọ́ Yorùbá",
      "Ọjọ́ ìbí Adéwálé",
      "Ẹ káàbọ̀ sí ìlú Ọ̀yọ́ wa",
      "Ọ̀nà kan ò wọ ọjà; àwọn ènìyàn ń bọ̀ láti ibi gbogbo",
      "Ìwé tí a kà lónìí ni yóò jẹ́ ìmọ́lẹ̀ fún ọ̀la; ẹ má ṣe jẹ́ kí ọmọ yín gbàgbé èdè àwọn bàbá wọn.",
    ],
  },
  {
    name: "polish",
    language: "pl",
    texts: [
      "Żółć",
      "Łódź nocą",
      "Gęś i jaźń w Łodzi",
      "Zażółć gęślą jaźń o świcie",
      "Wieczór z poezją i muzyką w starym młynie nad Wisłą",
      "W Szczebrzeszynie chrząszcz brzmi w trzcinie, a ja z okna widzę, jak nad rzeką gaśnie i zapala się światło.",
    ],
  },
  {
    name: "greek",
    language: "el",
    texts: [
      "Νύχτα",
      "Ελλάδα μου",
      "Καλοκαιρινή βραδιά",
      "Η θάλασσα και το φεγγάρι τον Αύγουστο",
      "Μια βραδιά με μουσική δίπλα στη θάλασσα της Ύδρας",
      "Σαν βγεις στον πηγαιμό για την Ιθάκη, να εύχεσαι να είναι μακρύς ο δρόμος, γεμάτος περιπέτειες, γεμάτος γνώσεις.",
    ],
  },
  {
    name: "cyrillic",
    language: "ru",
    texts: [
      "Ночь",
      "Ночь музыки",
      "Ночной заплыв в июле",
      "Ночной заплыв в середине лета",
      "Концерт камерного оркестра под открытым небом у реки",
      "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему, но все они любят лето.",
    ],
  },
];
