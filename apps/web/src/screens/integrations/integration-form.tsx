import { zodResolver } from "@hookform/resolvers/zod";
import { createIntegration, CreateIntegrationInput, type CrmServiceDescription } from "@leadline/contract/integrations";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { useIsHere } from "../../components/use-is-here.ts";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";

/** With each service's requirements in addition to the API's rules. */
const inputFor = (services: readonly CrmServiceDescription[]) =>
  CreateIntegrationInput.superRefine(({ service, workspaceDomain }, context) => {
    const chosen = services.find((one) => one.service === service);
    if (chosen === undefined) return;
    const asked = chosen.workspaceField;
    // It could not be connected. One with a domain is saved, and can be connected later.
    if (asked === null && chosen.notRegistered !== null && workspaceDomain !== chosen.sandboxDomain)
      context.addIssue({ code: "custom", path: ["service"], message: chosen.notRegistered });
    if (asked && (workspaceDomain ?? "").length < asked.minLength)
      context.addIssue({ code: "custom", path: ["workspaceDomain"], message: asked.missing });
  });

/** Its fields depend on the service, as described by the server. */
export function IntegrationForm({ services }: { services: readonly CrmServiceDescription[] }) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const resolver = useMemo(() => zodResolver(inputFor(services)), [services]);
  const form = useForm({
    resolver,
    shouldFocusError: false,
    defaultValues: { label: "", workspaceDomain: "" },
  });
  const { errors, isSubmitting, dirtyFields } = form.formState;
  // Compares field by field, because the service has no initial value and would count as changed with any other field.
  const isDirty = Object.values(dirtyFields).some(Boolean);
  const chosen = useWatch({ control: form.control, name: "service" });
  const service = services.find((one) => one.service === chosen);
  const workspaceField = service?.workspaceField ?? null;
  const typedDomain = useWatch({ control: form.control, name: "workspaceDomain" });
  const usesSandbox = service?.sandboxDomain != null && typedDomain === service.sandboxDomain;

  const submit = form.handleSubmit(async ({ workspaceDomain, ...given }, event) => {
    try {
      const body = workspaceField || usesSandbox ? { ...given, workspaceDomain } : given;
      const made = await request(createIntegration, { body });
      await queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
      toast.success(`${made.label} added. Connect it to sync its leads.`);
      if (isHere()) await navigate({ to: "/integrations", ignoreBlocker: true });
    } catch (error) {
      showProblemInForm(form, error, {
        event,
        fields: ["service", "label", "workspaceDomain"],
        codes: {
          "workspace-domain-refused": "workspaceDomain",
          "crm-not-available": "service",
        },
      });
    }
  }, focusFirstInvalid);

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <AskBeforeLeaving unsaved={isDirty || isSubmitting} />
      {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
      <Field label="Service" message={errors.service?.message}>
        {(control) => (
          <Controller
            control={form.control}
            name="service"
            render={({ field }) => (
              <Select
                {...control}
                options={services.map((one) => ({ value: one.service, label: one.name }))}
                value={field.value}
                onValueChange={(value) => {
                  field.onChange(value);
                  form.resetField("workspaceDomain");
                  form.clearErrors();
                }}
                placeholder="Select a service"
              />
            )}
          />
        )}
      </Field>
      <Field label="Label" help="The name your team sees." message={errors.label?.message}>
        {(control) => <Input autoComplete="off" {...control} {...form.register("label")} />}
      </Field>
      {service && workspaceField ? (
        <Field label={workspaceField.label} help={workspaceField.help} message={errors.workspaceDomain?.message}>
          {(control) => (
            <Input
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...control}
              {...form.register("workspaceDomain")}
            />
          )}
        </Field>
      ) : null}
      {service?.notRegistered && service.sandboxDomain === null ? (
        <Notice tone="brass" title={`${service.name} can’t be ${workspaceField ? "connected" : "added"} yet`}>
          {service.notRegistered}
        </Notice>
      ) : null}
      {service?.sandboxDomain ? (
        <SandboxHint
          service={service.name}
          notRegistered={service.notRegistered}
          domain={workspaceField && service.sandboxDomain}
          // A service with a workspace field shows the choice there.
          isChosen={workspaceField === null && usesSandbox}
          onChoose={(choice) => {
            const domain = choice === "sandbox" ? (service.sandboxDomain ?? "") : "";
            form.clearErrors("service");
            form.setValue("workspaceDomain", domain, { shouldValidate: true, shouldDirty: true });
          }}
        />
      ) : null}
      <div className="flex gap-2 pt-1">
        <Button type="submit" busy={isSubmitting}>
          Add integration
        </Button>
        <Button asChild tone="quiet">
          <Link to="/integrations">Cancel</Link>
        </Button>
      </div>
    </form>
  );
}

interface SandboxHintProps {
  service: string;
  notRegistered: string | null;
  /** Null if the service has no domain field. */
  domain: string | null;
  isChosen: boolean;
  onChoose: (choice: "sandbox" | "service") => void;
}

function SandboxHint({ service, notRegistered, domain, isChosen, onChoose }: SandboxHintProps) {
  if (isChosen)
    return (
      <Notice
        tone="brass"
        title="Using the sandbox"
        action={
          <Button tone="plain" size="small" onClick={() => onChoose("service")}>
            Use {service}
          </Button>
        }
      >
        It contains made-up leads, and you don’t need a {service} account.
      </Notice>
    );
  return (
    <Notice
      tone="brass"
      title={
        notRegistered === null
          ? `No ${service} account?`
          : `Only the sandbox can be ${domain === null ? "added" : "connected"} yet`
      }
      action={
        <Button tone="plain" size="small" onClick={() => onChoose("sandbox")}>
          Use the sandbox
        </Button>
      }
    >
      {notRegistered === null ? "Leadline includes a" : `${notRegistered} Until then, there is a`} sandbox CRM with
      made-up leads{domain === null ? "." : ": "}
      {domain === null ? null : <span className="font-medium whitespace-nowrap">{domain}</span>}
    </Notice>
  );
}
