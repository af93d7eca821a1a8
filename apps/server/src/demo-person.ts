/** The user that `npm run dev` creates, to sign in as. */
export const demoPerson = {
  firstName: "Dana",
  lastName: "Demo",
  email: "demo@leadline.test",
  password: "sandbox demo",
};
