import { Link } from "@tanstack/react-router";
import { LoginFailureNotice } from "./login-failure-notice.tsx";
import { isSignedIn } from "../../data/session.ts";
import { Button } from "../../ui/button.tsx";
import { PhonePicture } from "./phone-picture.tsx";
import { FeatureList } from "./feature-list.tsx";

export function LandingScreen() {
  return (
    <div className="mx-auto w-full max-w-[1120px] px-5">
      <LoginFailureNotice className="mt-2" />
      <section className="grid items-center gap-12 pt-10 pb-20 md:grid-cols-[1fr_400px] md:gap-16 md:pt-16 md:pb-28">
        <div>
          <h1 className="text-[34px] leading-[1.12] font-semibold tracking-[-0.025em] text-balance md:text-[50px]">
            A phone in your browser, on a server you own.
          </h1>
          <div className="mt-8 flex flex-wrap gap-3">
            {isSignedIn() ? (
              <Button asChild size="large">
                <Link to="/dashboard">Go to your dashboard</Link>
              </Button>
            ) : (
              <>
                <Button asChild size="large">
                  <Link to="/register">Create an account</Link>
                </Button>
                <Button asChild size="large" tone="plain">
                  <Link to="/login">Login</Link>
                </Button>
              </>
            )}
          </div>
        </div>
        <PhonePicture />
      </section>
      <FeatureList />
    </div>
  );
}
