import { exportLeadData } from "@leadline/contract/personal-data";
import { useMutation } from "@tanstack/react-query";
import { FileArchive } from "lucide-react";
import { toast } from "sonner";
import { may } from "../../components/may.ts";
import { useOwnRole } from "../../components/use-own-role.ts";
import { requestFile } from "../../data/api-client.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { saveFile } from "../../data/save-file.ts";
import { MenuItem } from "../../ui/menu.tsx";

/**
 * For admins: downloads everything stored about the lead, for a data subject's request. The menu has closed by the time
 * it arrives.
 */
export function ExportDataItem({ leadId }: { leadId: string }) {
  const mayExport = may(useOwnRole(), exportLeadData);
  const exporting = useMutation({
    mutationFn: () => requestFile(exportLeadData, { params: { id: leadId } }),
    onSuccess: (content) => saveFile(content, `personal-data-${leadId}.zip`),
    onError: (error) => toast.error("The data wasn’t exported.", { description: problemDetail(error) }),
  });
  if (!mayExport) return null;
  return (
    <MenuItem onSelect={() => exporting.mutate()}>
      <FileArchive aria-hidden="true" /> Export personal data
    </MenuItem>
  );
}
