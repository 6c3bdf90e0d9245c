type Part = { name: string; license: string; copyright: string };

/** What the packed browser and the libraries beside it are made of. npm knows none of these parts. */
const PARTS: Part[] = [
  { name: "Chromium", license: "BSD-3-Clause", copyright: "Copyright 2015 The Chromium Authors" },
  {
    name: "Blink",
    license: "BSD-3-Clause AND LGPL-2.1",
    copyright: "Apple, Google, Nokia, the KDE project and others",
  },
  { name: "V8", license: "BSD-3-Clause", copyright: "Copyright 2014 the V8 project authors" },
  { name: "Skia", license: "BSD-3-Clause", copyright: "Copyright (c) 2011 Google Inc." },
  { name: "ANGLE", license: "BSD-3-Clause", copyright: "Copyright 2018 The ANGLE Project Authors" },
  { name: "SwiftShader", license: "Apache-2.0", copyright: "The SwiftShader Authors" },
  {
    name: "Vulkan-Loader",
    license: "Apache-2.0",
    copyright: "The Khronos Group Inc., Valve Corporation, LunarG, Inc.",
  },
  { name: "BoringSSL", license: "Apache-2.0", copyright: "The OpenSSL Project Authors, the BoringSSL Authors" },
  {
    name: "Abseil, Perfetto, FlatBuffers",
    license: "Apache-2.0",
    copyright: "Google Inc., the Android Open Source Project",
  },
  { name: "FFmpeg", license: "LGPL-2.1", copyright: "the FFmpeg developers" },
  { name: "ICU", license: "Unicode-3.0", copyright: "Copyright © 2016-2026 Unicode, Inc." },
  { name: "HarfBuzz, Fontconfig", license: "MIT", copyright: "Red Hat, Inc., Google Inc., Keith Packard and others" },
  { name: "FreeType", license: "FTL", copyright: "David Turner, Robert Wilhelm, Werner Lemberg (www.freetype.org)" },
  {
    name: "libjpeg-turbo",
    license: "BSD-3-Clause AND IJG AND Zlib",
    copyright: "the libjpeg-turbo Project; the Independent JPEG Group",
  },
  { name: "libpng", license: "libpng-2.0", copyright: "Copyright (c) 1995-2026 The PNG Reference Library Authors" },
  { name: "zlib", license: "Zlib", copyright: "Copyright (C) 1995-2026 Jean-loup Gailly and Mark Adler" },
  { name: "libwebp, re2, Protocol Buffers", license: "BSD-3-Clause", copyright: "Google Inc." },
  { name: "dav1d, libavif", license: "BSD-2-Clause", copyright: "VideoLAN and dav1d authors; Joe Drago" },
  { name: "Brotli", license: "MIT", copyright: "Copyright (c) 2009, 2010, 2013-2016 by the Brotli Authors" },
  { name: "libxml2, libxslt", license: "MIT", copyright: "Daniel Veillard" },
  { name: "SQLite", license: "blessing (public domain)", copyright: "D. Richard Hipp and others" },
  { name: "NSS, NSPR (from Amazon Linux 2023)", license: "MPL-2.0", copyright: "Mozilla and others" },
  {
    name: "Expat (from Amazon Linux 2023)",
    license: "MIT",
    copyright: "Thai Open Source Software Center Ltd, Expat maintainers",
  },
  { name: "Open Sans (not used)", license: "OFL-1.1", copyright: "Copyright 2020 The Open Sans Project Authors" },
];

/** The parts of the embedded database and of the image library. */
const LIBRARY_PARTS: Part[] = [
  {
    name: "PostgreSQL (in @electric-sql/pglite)",
    license: "PostgreSQL",
    copyright:
      "Copyright (c) 1996-2026 The PostgreSQL Global Development Group; 1994 The Regents of the University of California",
  },
];

/** The licences of all parts whose text the notices contain. Those of other parts are short, and the project's own source has them. */
export const PART_LICENCES = ["BSD-3-Clause", "MIT", "Apache-2.0", "MPL-2.0", "LGPL-2.1", "PostgreSQL"];

const lineOf = ({ name, license, copyright }: Part) => `${name}: ${license}. ${copyright}`;

/** @param version of `@sparticuz/chromium`, which is that of Chromium's milestone */
export function browserSection(version: string): string {
  const milestone = version.split(".")[0];
  return `@sparticuz/chromium ${version} contains a build of Chromium ${milestone} without changes to its licences. Its main parts:

${PARTS.map(lineOf).join("\n")}

Chromium contains some hundred smaller projects more. Any Chrome of version ${milestone} lists all of them, with their licences, at
chrome://credits. Their source is at https://source.chromium.org, and for the parts under the LGPL and the MPL also the source
that the licences promise.`;
}

export const librarySection = () => LIBRARY_PARTS.map(lineOf).join("\n");
