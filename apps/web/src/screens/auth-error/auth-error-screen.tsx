import { Link } from "@tanstack/react-router";
import { Button } from "../../ui/button.tsx";
import { MessageScreen } from "../message-screen.tsx";

export function AuthErrorScreen() {
  return (
    <MessageScreen
      title="Auth error! Please login again."
      action={
        <Button asChild>
          <Link to="/login">Login</Link>
        </Button>
      }
    />
  );
}
