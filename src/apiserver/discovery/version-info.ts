import { release } from "../../api/types/facts.ts";
import type { Info } from "../../api/types/version.ts";
import type { ServerResponse } from "../types/exchange.ts";
import { requireGetOf, uncachedResponse } from "./documents.ts";
import type { PathRequest } from "./path-handler.ts";

/** Serves `/version` as indented JSON. */
export function serveVersionInfo({ request }: PathRequest): ServerResponse {
  requireGetOf(request, "application/json");
  return uncachedResponse(JSON.stringify(versionInfo(), undefined, 2), { type: "application/json" });
}

/** Returns the version of the pinned release. The build metadata `+trimtab` marks it as not built from Kubernetes. */
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
