import { useRouter } from "next/navigation";
import { ApiFailure } from "../../../ui/api/api-failure.ts";

/** The user that the page is about. */
export type Subject = {
  id: string;
  name: string;
  email: string;
  /** Whether it is the reader. */
  isViewer: boolean;
  /** Whether there is no other active administrator. */
  isLastAdministrator: boolean;
};

/** The path of the route of a user, or of one below it. */
export function routeOf({ id }: Pick<Subject, "id">, below = ""): string {
  return `/api/service/users/${id}${below}`;
}

/**
 * Runs a request about a user. When the service refuses it because the user has become the last administrator, the page
 * is refreshed to show that.
 */
export function useActOnUser(): (act: () => Promise<void>) => Promise<void> {
  const router = useRouter();
  return async (act) => {
    try {
      await act();
    } catch (error) {
      if (error instanceof ApiFailure && error.code === "last_admin") router.refresh();
      throw error;
    }
  };
}

export const LAST_ADMINISTRATOR = "This is the last active administrator. Make someone else an administrator first.";
