"use client";

import { useRouter } from "next/navigation";
import { ApiFailure } from "../../../ui/api-failure.ts";

/** What the controls of a user's page know of the user. */
export type Subject = {
  id: string;
  name: string;
  email: string;
  /** The reader of the page. */
  isViewer: boolean;
  /** Nobody else is an active administrator. */
  isLastAdministrator: boolean;
};

/** Where a user's route is, or one below it. */
export function routeOf({ id }: Pick<Subject, "id">, below = ""): string {
  return `/api/service/users/${id}${below}`;
}

/**
 * Does something about a user and shows what has become of them. When somebody else has made this the last administrator
 * meanwhile, the page says so too.
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
