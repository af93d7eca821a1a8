import { acceptInvitation, readInvitation, type ReadInvitation } from "@leadline/contract/members";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { AuthCard, textLinkLook } from "../../components/auth-card.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useLinkToken } from "../../components/use-link-token.ts";
import { request } from "../../data/api-client.ts";
import { meQuery } from "../../data/me-query.ts";
import { pendingInvitation } from "../../data/pending-invitation.ts";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { isSignedIn } from "../../data/session.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const isLinkInvalid = (error: unknown): boolean => error instanceof ProblemError && error.code === "link-invalid";

/** The page of a mailed link. Someone not signed in keeps the invitation through registering and logging in. */
export function InvitationScreen() {
  const linked = useLinkToken();
  const [pending] = useState(pendingInvitation.token);
  const token = linked || pending || "";
  return <Invitation key={token} token={token} />;
}

function Invitation({ token }: { token: string }) {
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => request(readInvitation, { body: { token } }, { signal }),
    enabled: token !== "",
    staleTime: Infinity,
  });
  useEffect(() => {
    if (invitation.data) pendingInvitation.keep({ token, ...invitation.data });
    if (isLinkInvalid(invitation.error)) pendingInvitation.forget();
  }, [token, invitation.data, invitation.error]);

  if (token === "" || isLinkInvalid(invitation.error)) {
    return (
      <AuthCard title="This invitation no longer works">
        <p>
          {invitation.error
            ? problemDetail(invitation.error)
            : "The link is incomplete. Open it from the email again, or ask for a new one."}
        </p>
        <Button asChild tone="plain" className="mt-5 h-10 w-full max-md:h-11">
          {isSignedIn() ? <Link to="/dashboard">To your dashboard</Link> : <Link to="/login">Login</Link>}
        </Button>
      </AuthCard>
    );
  }
  if (invitation.data) return <Invited token={token} invitation={invitation.data} />;
  if (invitation.isError) {
    return (
      <AuthCard title="An invitation">
        <LoadFailed what="The invitation" query={invitation} />
      </AuthCard>
    );
  }
  return (
    <AuthCard title="An invitation">
      <output className="sr-only">Loading the invitation</output>
      <Skeleton className="w-64" />
      <Skeleton className="mt-6 h-10 w-full" />
    </AuthCard>
  );
}

const capacities = { member: "as a member", admin: "as an admin", analyst: "as an analyst" } as const;

function Invited({ token, invitation }: { token: string; invitation: ReadInvitation }) {
  const { organisationName, invitedBy, role } = invitation;
  const me = useQuery({ ...meQuery, enabled: isSignedIn() });
  return (
    <AuthCard title={`Join ${organisationName}`}>
      <p>
        {invitedBy ?? "A colleague"} invites you to <strong className="font-semibold">{organisationName}</strong>{" "}
        {capacities[role]}.
      </p>
      {me.data ? <Join token={token} invitation={invitation} as={me.data.email} /> : <SignInFirst />}
    </AuthCard>
  );
}

function SignInFirst() {
  return (
    <>
      <p className="mt-2 text-ink-soft">Create an account or log in to join.</p>
      <div className="mt-5 flex flex-col gap-2">
        <Button asChild className="h-10 w-full max-md:h-11">
          <Link to="/register">Create an account</Link>
        </Button>
        <Button asChild tone="plain" className="h-10 w-full max-md:h-11">
          <Link to="/login">Login</Link>
        </Button>
      </div>
    </>
  );
}

function Join({ token, invitation, as }: { token: string; invitation: ReadInvitation; as: string }) {
  const joining = useMutation({
    mutationFn: () => request(acceptInvitation, { body: { token } }),
    onSuccess: () => {
      pendingInvitation.forget();
      // A full page load, so that no data of another organisation remains.
      location.assign("/calls");
    },
  });
  return (
    <>
      <p className="mt-2 text-ink-soft">
        You are logged in as {as}
        {as === invitation.email ? "." : `; the invitation went to ${invitation.email}.`} Leadline switches you to this
        organisation.
      </p>
      {joining.isError ? <Notice className="mt-4">{problemDetail(joining.error)}</Notice> : null}
      <Button
        className="mt-5 h-10 w-full max-md:h-11"
        busy={joining.isPending || joining.isSuccess}
        onClick={() => joining.mutate()}
      >
        Join {invitation.organisationName}
      </Button>
      <p className="mt-4 text-center text-table text-ink-soft">
        Not you?{" "}
        <Link to="/logout" preload={false} className={textLinkLook}>
          Log out
        </Link>
      </p>
    </>
  );
}
