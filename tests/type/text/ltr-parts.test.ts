import { expect, test } from "vitest";
import { keepLtrParts } from "#lib/type/text/bidi/ltr-parts.ts";
import { processorMs } from "#tests/pace.ts";

/** The parts of a text that keep their order, with plain spaces. */
function kept(text: string): string[] {
  const parts = keepLtrParts(text).matchAll(/[\u2066\u202a](.*?)[\u2069\u202c]/g);
  return Array.from(parts, ([, part = ""]) => part.replaceAll("\u00a0", " "));
}

test.each([
  ["هاتف: +971 4 123 4567 (يوميا)", ["+971 4 123 4567"]],
  ["טלפון 03-123-4567 או +972-3-123-4567", ["03-123-4567", "+972-3-123-4567"]],
  ["تلفن: ۰۲۱ ۱۲۳۴ ۵۶۷۸ یا +۹۸ ۲۱ ۱۲۳۴ ۵۶۷۸", ["۰۲۱ ۱۲۳۴ ۵۶۷۸", "+۹۸ ۲۱ ۱۲۳۴ ۵۶۷۸"]],
  ["تابعونا على @bluebottle.ae! و#Platen", ["@bluebottle.ae", "#Platen"]],
  ["هاتف (+971 4 123 4567) 24 ساعة", ["+971 4 123 4567"]],
  ["هاتف +971 4 123 4567 10:30 أو +49 (0)30 1234567", ["+971 4 123 4567", "+49 (0)30 1234567"]],
  ["الوسم #Platen_2026، ثم C++ وC# في info@platen.ae", ["#Platen_2026", "C++", "C#"]],
  ["تابعونا @platen@mastodon.social، وعلى #Café2024 و#5G", ["@platen@mastodon.social", "#Café2024", "#5G"]],
  ["טלפון (02) 123-4567, או 01 23 45 67 89, או 1-800-123-456", ["(02) 123-4567", "01 23 45 67 89", "1-800-123-456"]],
  ["زوروا https://example.com/ar/ و Disney+.", ["https://example.com/ar/", "Disney+"]],
  ["מפתחים ב-.NET, --json ו-/etc/hosts", [".NET", "--json", "/etc/hosts"]],
  ["الإصدار 2.0.1-beta متاح", ["2.0.1-beta"]],
  ["الحرارة 30°C أو -5°C أو ٣٠ °C و°F", ["30°C", "-5°C", "°C", "°F"]],
  ["هاتف iPhone® من Platen™ الآن", ["iPhone®", "Platen™"]],
  ["السعر €12,50/kg أو 5€/kg أو 1,200.50$/m²", ["€12,50/kg", "5€/kg", "1,200.50$/m²"]],
  ["شكراً/Thanks، Wi-Fi رایگان: 5G/LTE", ["5G/LTE"]],
  ["الباب 9:30/Gate و http://example.com:8443/ar/", ["9:30/Gate", "http://example.com:8443/ar/"]],
  ["☎00971 4 123 4567 أو 00972-3-123-4567", ["00971 4 123 4567", "00972-3-123-4567"]],
  ["آيبان AE07 0331 2345 6789 0123 456 باسم", ["AE07 0331 2345 6789 0123 456"]],
  [
    "IBAN: JO94 CBJO 0010 0000 0000 0131 0003 02، 4111 1111 1111 1111 بنك",
    ["JO94 CBJO 0010 0000 0000 0131 0003 02", "4111 1111 1111 1111"],
  ],
  ["قیمت Rs.500/- فی کلو، Rs. 1,500/-", ["Rs.500/-"]],
  ["مجلد src/ وأمر /start ثم ../Run أو .NET", ["src/", "/start", "../Run", ".NET"]],
  ["فون 042-111-123-456 یا 0212 345 67 89", ["042-111-123-456", "0212 345 67 89"]],
])("%s keeps the order of its telephone numbers, names and tags", (text, parts) => {
  expect(kept(text)).toEqual(parts);
});

test.each([
  "من 05-12-2026 إلى 2026/12/31، الساعة 10:30",
  "بين 1,200 و 3 500 زائر (+50 %)",
  "أعوام 2024 2025 2026 كلها",
  "رقم ISBN 978-0123-456-789 أو wa.me/+971501234567",
  "أعوام 2010 2014 2018 2022 و۱۳۹۹ ۱۴۰۰ ۱۴۰۱ ۱۴۰۲ و2010-2014 2018-2022",
  "الدقائق 05 15 25 35 45 55، הגרלה: 03 11 17 22 30 36",
  "عاجل...Apple تعلن، قالت ...Google إنها، عاجل..Meta",
  "●Wi-Fi مجاني ✓Netflix ★iPhone ►YouTube ♫Spotify",
  "الاسم /Name أو Name/ الاسم أو iOS/ أندرويد أو 15 د.إ./kg",
  "خطأ #412 في A+B",
  "Call +971 4 123 4567, @platen",
  "قناتنا youtube.com/@platen وأيضا example.com/#about",
  "راسلنا wa.me/+971501234567 أو info@platen.ae.",
  "ב-API וב-iPhone-15, Node.js (v2.0.1)",
  "iOS/أندرويد أو أندرويد/iOS، A+ب",
  "شكراً/Thanks أو أهلاً_Hello",
  "الساعة 10:30 أو 1,5 € أو $5 أو 30° ❤️ ☎️",
])("%s stays as it is", (text) => {
  expect(keepLtrParts(text)).toBe(text);
});

test.each(["/", "@", "_", "+", ".", "0 ", "a/", "+1", "°a", "€", "0,", "00-", "/A", "A/", "01 ", "(", "(C++"])(
  "fifty thousand characters of %s take no second",
  (sign) => {
    const text = `${sign.repeat(50_000 / sign.length)}aا`;
    const started = processorMs();
    keepLtrParts(text);
    expect(processorMs() - started).toBeLessThan(1_000);
  },
);
