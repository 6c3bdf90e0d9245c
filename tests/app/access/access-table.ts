import type { Method } from "../client.ts";

/*
 * Who may do what with the access layer on, written by hand from the contract. A test compares it with the declared operations.
 * Each row is a request. Each column is its credentials: none, the session cookie of a user or an administrator, an API token of
 * that user, or the cookie of a session that expired, or whose user was deactivated or deleted. `own` and `other` belong to that
 * user and to another one; `nobody` is an unknown id. The login sends the correct password of another user.
 */
const TABLE = `
                                 anonymous  user  administrator  token  expired  deactivated  deleted
  POST   login                         200   200            200    200      200          200      200
  POST   logout                        200   200            200    200      200          200      200
  GET    account                       401   200            200    401      401          401      401
  PATCH  account                       401   200            200    401      401          401      401
  POST   account/password              401   200            200    401      401          401      401
  GET    account/sessions              401   200            200    401      401          401      401
  DELETE account/sessions              401   200            200    401      401          401      401
  DELETE account/sessions/own          401   200            404    401      401          401      401
  DELETE account/sessions/other        401   404            404    401      401          401      401
  DELETE account/sessions/nobody       401   404            404    401      401          401      401
  GET    account/unknown-logins        401   200            200    401      401          401      401
  DELETE account/unknown-logins        401   200            200    401      401          401      401
  DELETE account/unknown-logins/own    401   200            404    401      401          401      401
  DELETE account/unknown-logins/other  401   404            404    401      401          401      401
  DELETE account/unknown-logins/nobody 401   404            404    401      401          401      401
  DELETE account/unknown-logins/own/session    401   200    404    401      401          401      401
  DELETE account/unknown-logins/other/session  401   404    404    401      401          401      401
  DELETE account/unknown-logins/nobody/session 401   404    404    401      401          401      401
  GET    tokens                        401   200            200    401      401          401      401
  POST   tokens                        401   201            201    401      401          401      401
  GET    tokens/usage                  401   200            200    401      401          401      401
  DELETE tokens/own                    401   200            200    401      401          401      401
  DELETE tokens/other                  401   404            200    401      401          401      401
  DELETE tokens/nobody                 401   404            404    401      401          401      401
  GET    users                         401   403            200    401      401          401      401
  POST   users                         401   403            201    401      401          401      401
  GET    users/own                     401   403            200    401      401          401      401
  GET    users/other                   401   403            200    401      401          401      401
  GET    users/nobody                  401   403            404    401      401          401      401
  PATCH  users/own                     401   403            200    401      401          401      401
  PATCH  users/other                   401   403            200    401      401          401      401
  PATCH  users/nobody                  401   403            404    401      401          401      401
  DELETE users/own                     401   403            200    401      401          401      401
  DELETE users/other                   401   403            200    401      401          401      401
  DELETE users/nobody                  401   403            404    401      401          401      401
  POST   users/own/password            401   403            200    401      401          401      401
  POST   users/other/password          401   403            200    401      401          401      401
  POST   users/nobody/password         401   403            404    401      401          401      401
  GET    users/own/tokens              401   200            200    401      401          401      401
  GET    users/other/tokens            401   404            200    401      401          401      401
  GET    users/nobody/tokens           401   404            404    401      401          401      401
  GET    users/own/tokens/usage        401   200            200    401      401          401      401
  GET    users/other/tokens/usage      401   404            200    401      401          401      401
  GET    users/nobody/tokens/usage     401   404            404    401      401          401      401
  GET    audit                         401   403            200    401      401          401      401
  GET    audit/export                  401   403            200    401      401          401      401
  POST   images/render                 401   200            200    200      401          401      401
  POST   images/explain                401   200            200    401      401          401      401
  GET    links/signed                  200   200            200    200      200          200      200
  GET    templates                     401   200            200    401      401          401      401
  GET    templates/slug                401   200            200    401      401          401      401
  GET    thumbnails/slug               401   200            200    401      401          401      401
  GET    proofs/slug                   401   403            200    401      401          401      401
  POST   proofs/unknown                401   403            422    401      401          401      401
  GET    status                        401   403            200    401      401          401      401
  GET    status/scripts                401   403            200    401      401          401      401
  GET    openapi.json                  401   200            200    401      401          401      401
  GET    /api/docs/errors              401   200            200    401      401          401      401
  GET    /llms.txt                     401   200            200    401      401          401      401
  GET    /robots.txt                   200   200            200    200      200          200      200
  GET    /healthz                      200   200            200    200      200          200      200
  GET    /metrics                      200   200            200    200      200          200      200
  GET    /readyz                       200   200            200    200      200          200      200
`;

const [header = "", ...lines] = TABLE.split("\n").filter((line) => line.trim() !== "");

/** The columns, in order. */
export const COLUMNS = header.trim().split(/ +/);

/** The rows, with the expected status of each column. */
export const ROWS = lines.map((line) => {
  const [method = "", path = "", ...statuses] = line.trim().split(/ +/);
  const expected = COLUMNS.map((column, at): [string, number] => [column, Number(statuses[at])]);
  return { name: `${method} ${path}`, method: method as Method, path, expected: new Map(expected) };
});
