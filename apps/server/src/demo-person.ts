/** Whom `npm run dev` makes, to sign in as. */
export const demoPerson = {
  firstName: "Dana",
  lastName: "Demo",
  email: "demo@leadline.test",
  password: "sandbox demo",
};
