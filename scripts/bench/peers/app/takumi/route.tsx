import { ImageResponse } from "takumi-js/response";
import { cardOf, SIZE } from "../../card.ts";
import { elementOf, FONTS } from "../../card-element.tsx";

export function GET(request: Request): Response {
  return new ImageResponse(elementOf(cardOf(request)), { ...SIZE, fonts: FONTS });
}
