import { Part, Prose } from "./prose.tsx";

export function PrivacyPolicyScreen() {
  return (
    <Prose
      title="Privacy policy"
      lead="What this software keeps, where, and for how long. The administrator of this server is responsible for it and may have rules of their own; ask them."
    >
      <Part title="What is kept about you">
        <ul>
          <li>Your name, your email address and, if you choose one, a picture.</li>
          <li>Your password as an argon2id hash, from which it cannot be read.</li>
          <li>
            Your sessions: when each began and was last used, from which address and with which browser. You see and end
            them under Settings, Sessions. Ended ones are deleted after 90 days.
          </li>
          <li>The organisations you belong to, and your role there.</li>
        </ul>
      </Part>
      <Part title="What is kept about your work">
        <ul>
          <li>Calls: the number, who called, when, how long, how it ended, notes and cost.</li>
          <li>Leads with their contact details, notes and files, as you enter, import or sync them.</li>
          <li>Phone numbers, integrations and settings of the organisation.</li>
        </ul>
        <p>
          All of it belongs to the organisation and can be seen by its members. Leadline does not record what is said in
          calls. Where an organisation’s owner has switched voicemail on, the message that a caller leaves after its
          greeting is kept, and deleted after the days that are set under Settings, Voicemail.
        </p>
      </Part>
      <Part title="Where it is">
        <p>
          In the database and the data folder of this server. Secrets of carriers and CRMs are stored encrypted. The
          server’s own log holds requests with their address and time; how long it is kept, its operator decides.
        </p>
      </Part>
      <Part title="Who else receives it">
        <p>
          The carrier that connects a call receives the number called, your organisation’s caller ID and the sound. A
          CRM that your organisation connects is asked for its leads. Invitations and password links go through the
          operator’s mail server. If the operator has set up a login elsewhere, that provider learns when you log in.
          Nobody else receives anything: there are no analytics, no advertising, no content from other sites.
        </p>
      </Part>
      <Part title="In your browser">
        <p>
          The tokens of your session are kept in local storage until you log out, and nothing else is. One cookie
          remembers for seven days whether the sidebar is open; your theme and which notifications you want are in two
          more for a year, your microphone and speaker in the browser’s own database. Until it is closed, each tab keeps
          notes that the server does not have yet, an invitation you are about to accept, what a login on its way needs,
          whether it carries a call’s sound, and which first steps are done. The microphone is used while you talk, and
          to show its level in the settings of a call.
        </p>
      </Part>
      <Part title="Your rights">
        <p>
          You can read and change your details under Settings, Account, and export calls and leads as CSV. An
          organisation whose only owner you are, you delete yourself under Settings, Organisations. To have your account
          deleted, ask the administrator of this server.
        </p>
      </Part>
    </Prose>
  );
}
