import type { Statistics } from "@leadline/contract/statistics";
import { formatDuration } from "../../components/format-time.ts";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";

interface MemberFiguresProps {
  members: Statistics["members"];
  chosen: string | null;
  onChoose: (userId: string | null) => void;
}

/** Each member's calls. Pressing a name filters the page by that member. */
export function MemberFigures({ members, chosen, onChoose }: MemberFiguresProps) {
  return (
    <section aria-labelledby="members">
      <h2 id="members" className="mb-2 text-sm font-semibold">
        By member
      </h2>
      <Table label="Calls by member">
        <TableHead>
          <TableRow>
            <TableHeadCell>Name</TableHeadCell>
            <TableHeadCell align="right">Calls</TableHeadCell>
            <TableHeadCell align="right">Answered</TableHeadCell>
            <TableHeadCell align="right">Talk time</TableHeadCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {members.map((member) => (
            <TableRow key={member.userId}>
              <TableCell className="font-medium">
                <button
                  type="button"
                  aria-pressed={member.userId === chosen}
                  className="rounded-[4px] hover:underline aria-pressed:text-brand"
                  onClick={() => onChoose(member.userId === chosen ? null : member.userId)}
                >
                  {member.name}
                </button>
              </TableCell>
              <TableCell align="right">{member.calls}</TableCell>
              <TableCell align="right">{member.answered}</TableCell>
              <TableCell align="right">{formatDuration(member.talkMs)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </section>
  );
}
