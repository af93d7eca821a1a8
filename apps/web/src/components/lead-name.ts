interface Named {
  firstName: string;
  lastName: string;
}

/** A CRM may know only one of the two, or neither. */
export const leadName = ({ firstName, lastName }: Named): string => `${firstName} ${lastName}`.trim() || "Unnamed lead";
