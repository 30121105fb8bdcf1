import { release } from "../../api/types/facts.ts";
import type { Info } from "../../api/types/version.ts";
import type { ServerResponse } from "../exchange.ts";
import { checkOnly, plain } from "./documents.ts";
import type { Visit } from "./path-handler.ts";

/** `/version`: indented JSON, and nothing else. */
export function versionInfoFace({ request }: Visit): ServerResponse {
  checkOnly(request, "application/json");
  return plain(JSON.stringify(versionInfo(), undefined, 2), { type: "application/json" });
}

/** The release that is served. What made it says that it is not the real one. */
export function versionInfo(): Info {
  const [major = "", minor = ""] = release.replace(/^v/, "").split(".");
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `${release}+trimtab`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
  };
}
