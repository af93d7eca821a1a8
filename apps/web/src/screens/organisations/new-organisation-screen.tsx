import { zodResolver } from "@hookform/resolvers/zod";
import { createOrganisation, CreateOrganisationInput } from "@leadline/contract/organisations";
import { Link, useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { OrganisationBasics } from "../../components/organisation-basics.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { useIsHere } from "../../components/use-is-here.ts";
import { pageOrganisation } from "../../data/page-organisation.ts";
import { request } from "../../data/api-client.ts";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countryOfLanguage } from "./country-of-language.ts";

export function NewOrganisationScreen() {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(CreateOrganisationInput),
    defaultValues: { name: "", description: "", website: "" },
  });
  const { errors, isSubmitting, isDirty } = form.formState;

  const submit = form.handleSubmit(async (organisation, event) => {
    try {
      const made = await request(createOrganisation, {
        body: {
          ...organisation,
          timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          defaultCountry: countryOfLanguage(navigator.language),
        },
      });
      // The new organisation is active now, so all data read so far belongs to another.
      pageOrganisation.set(made.id);
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
      toast.success(`${made.name} created. You’ve switched to it.`);
      if (isHere()) await navigate({ to: "/settings/organisations", ignoreBlocker: true });
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["name", "description", "website"] });
    }
  }, focusFirstInvalid);

  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="New organisation" lead="You’ll be its owner, and Leadline switches you to it." />
      <form noValidate onSubmit={(event) => void submit(event)} className="flex max-w-[440px] flex-col gap-5">
        <AskBeforeLeaving personal unsaved={isDirty || isSubmitting} />
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <OrganisationBasics register={form.register} errors={errors} nameHelp="The name of your team or company." />
        <div className="flex gap-2 pt-1">
          <Button type="submit" busy={isSubmitting}>
            Create organisation
          </Button>
          <Button asChild tone="quiet">
            <Link to="/settings/organisations">Cancel</Link>
          </Button>
        </div>
      </form>
    </div>
  );
}
