import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type ReactNode, useCallback } from "react";
import { avatarQuery } from "../data/avatar-query.ts";

interface Person {
  firstName: string;
  lastName: string;
  avatar: string | null;
}

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A grapheme: an emoji or a letter with its accents is one. */
const firstLetter = (name: string): string => letters.segment(name)[Symbol.iterator]().next().value?.segment ?? "";

export const initialsOf = ({ firstName, lastName }: Pick<Person, "firstName" | "lastName">): string =>
  `${firstLetter(firstName)}${firstLetter(lastName)}`.toUpperCase();

/** The user's picture, or their initials. A name is next to it, or labels its container. */
export function Avatar({ person, className }: { person: Person; className?: string }) {
  const look = clsx("base:size-8 max-w-none shrink-0 rounded-full", className);
  const initials = (
    <span
      aria-hidden="true"
      className={clsx(look, "grid place-items-center bg-brand base:text-xs font-semibold text-on-brand")}
    >
      {initialsOf(person)}
    </span>
  );
  return person.avatar === null ? initials : <Picture avatar={person.avatar} look={look} meanwhile={initials} />;
}

function Picture({ avatar, look, meanwhile }: { avatar: string; look: string; meanwhile: ReactNode }) {
  const picture = useQuery(avatarQuery(avatar)).data;
  return picture ? <BlobImage key={avatar} picture={picture} look={look} /> : meanwhile;
}

function BlobImage({ picture, look }: { picture: Blob; look: string }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(picture);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [picture],
  );
  return <img ref={show} alt="" className={clsx(look, "border border-line object-cover")} />;
}
