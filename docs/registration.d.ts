// dcp-lang registration, urn:dcp-lang:schema:registration:1. Exact numbers are texts such as "0.05" or "1/7".

export type Text = string;

export type Count = number;

/** An exact number in its one spelling: the finite decimal, else p/q in lowest terms. */
export type Number = string;

/** SHA-256 of bytes. */
export type Digest = string;

/** A file of a folder, with its size in bytes. */
export type File = {
  path: string;
  sha256: Digest;
  size: Count;
};

/** Any JSON without floats: derived values, recomputed by the compiler. */
export type Plain = string | number | boolean | null | Array<Plain> | { [key: string]: Plain };

/** A condition as a tree. */
export type Expression = {
  number: Number;
  unit?: Text;
} | {
  name: Text;
} | {
  symbol: Text;
} | {
  items: Array<Text>;
} | {
  op: Text;
  args: Array<Expression>;
};

/** A sample size: declared, the least that its gate needs, used. */
export type Size = {
  used: Count;
  assured?: Plain;
  bound?: Plain;
  safe?: Plain;
  declared?: Count | null;
  least?: Count | null;
  /** Why the least n passes and n - 1 does not; the limit that the planned n reaches. */
  certificate?: {
    rule: Text;
    side: Text;
    tail: Text;
    alpha: Number;
    threshold: Number;
    n: Count;
    at_n: Array<{
      kind: "power" | "lower-tail" | "upper-tail" | "half-width";
      text: Text;
      n: Count;
      k?: Count;
      p: Number;
      relation: "<=" | ">";
      bound: Number;
    }>;
    below: Array<{
      kind: "power" | "lower-tail" | "upper-tail" | "half-width";
      text: Text;
      n: Count;
      k?: Count;
      p: Number;
      relation: "<=" | ">";
      bound: Number;
    }>;
    planned: Count;
    bound: Number;
    kernel_agrees: boolean | null;
    used: number | null;
  };
};

/** Every sample size with its certificate, and what follows by arithmetic. */
export type Plan = {
  sizes: {
    "gate.recovery.episodes": Size;
    "gate.recovery.positive_controls": Size;
    "gate.feedback.pairs"?: Size;
    "gate.feedback.null_pairs"?: Size;
  };
  /** Sessions of the controls. */
  sessions: Count;
  /** What all of them are expected to cost. */
  cost: {
    amount: Number;
    unit: Text;
  };
  /** How long all of them are expected to take. */
  time: {
    amount: Number;
    unit: Text;
  };
  /** What the audit can take: target's session and every replacement too, each session at its limit. */
  at_most: {
    sessions: Count;
    cost: {
      amount: Number;
      unit: Text;
    };
    time: {
      amount: Number;
      unit: Text;
    };
  };
  /** Sessions of the paper's reference design. */
  reference_sessions: Count;
  /** Stopping at the first witness. */
  stopping?: {
    expected_episodes: Number;
  };
  /** The probability that the audit concludes as expected. */
  assurance?: Plain;
  /** Figures of the document. */
  figures: Plain;
};

/** A frozen registration: RFC 8785 bytes, no floats, exact numbers as texts. */
export type Registration = {
  schema: "dcp-lang/registration/1";
  /** The edition of the language. */
  edition: 1;
  compiler: {
    name: "dcp-lang";
    version: Text;
  };
  /** The label of the registration. */
  name: Text;
  /** What is claimed. */
  grade: "core" | "evidence";
  /** The normal form of the source; compiling it gives this file. */
  source: Text;
  profiles: Array<{
    name: Text;
    source: Text;
    sha256: Digest;
  }>;
  /** Every value by the path of its field, defaults included. */
  fields: {
    /** The claim id, as the kernel and its ledgers see it. Kernel field: claim_id. */
    id: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The title of the registration, one line. */
    title: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** What is claimed and within which scope, in one paragraph. */
    claim: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Whether the registration precedes the target run. Paper: Prospective use, Retrospective use. */
    mode: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "prospective";
      } | {
        choice: "retrospective";
        knowledge: {
          choice: "pre_publication";
        } | {
          choice: "present_day";
        };
      };
    };
    /** Whose lineage it is; guidance chosen after results makes it human_agent. */
    subject?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "autonomous_agent";
      } | {
        choice: "human_agent";
      };
    };
    /** The audit family, how many audits it may hold and the alpha that they share. Kernel field: audit_family_id. */
    family: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "family";
        id: string;
        /** A number of audits. */
        audits: number;
        /** OpenProbability: 0 < value < 1. */
        alpha: Number;
      };
    };
    /** The slot that an authority reserved, with the digest of its receipt. Kernel field: audit_slot_id. */
    slot?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "slot";
        id: string;
        receipt: string;
      };
    };
    /** 128 bits in hex that keep the digest from being guessed; given, never random at compile time. */
    salt?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The judgments that the auditor will attest; what can be checked is checked too. */
    attestations?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: Array<{
        choice: "iterative_lineage_eligible";
      } | {
        choice: "lineage_dataflow_audit_pass";
      } | {
        choice: "symmetric_verifier_pass";
      } | {
        choice: "inference_assumptions_pass";
      } | {
        choice: "feedback_inference_assumptions_pass";
      } | {
        choice: "sham_inference_assumptions_pass";
      } | {
        choice: "materials_readable";
      } | {
        choice: "opportunity_floor_met";
      } | {
        choice: "paired_contract_audit_pass";
      } | {
        choice: "truthful_channel_audit_pass";
      } | {
        choice: "neutral_channel_audit_pass";
      } | {
        choice: "sham_channel_checks_pass";
      } | {
        choice: "sham_freshness_pass";
      } | {
        choice: "sham_operator_frozen_before_confirmatory";
      } | {
        choice: "sham_development_confirmatory_disjoint";
      }>;
    };
    /** The digest of the frozen registration that this one amends. */
    supersedes?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Why the registration is amended. */
    reason?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The name of the task profile (the label of the block). Kernel field: task_family_profile. */
    "task.name": {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The task adapter: the code that prepares, answers and scores. */
    "task.adapter": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      };
    };
    /** The adapter's class in that file. */
    "task.entry"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** What the score measures, on the scale [0, 1]. Kernel field: score_range_id. */
    "task.score": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "maximize";
        measure: string;
        on: Array<Number>;
      };
    };
    /** The evaluation population: exhaustive or sampled, with its units. Paper: Gate 1. Kernel field: inference_scope. */
    "task.population": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "exhaustive";
        /** A number of units. */
        units: number;
        aggregate?: string;
      } | {
        choice: "sampled";
        /** A number of units. */
        units: number;
      };
    };
    /** The step of the scores that can occur, to prove that no score sits on a line. */
    "task.lattice"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** PositiveProbability: 0 < value <= 1. */
      value: Number;
    };
    /** The one evaluator of baseline, target and controls. */
    "task.evaluator": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** The manifest of the private evaluation units. */
    "task.units"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** The validity rules, in sentences. */
    "task.valid": {
      origin: "declared" | "default" | "profile" | "computed";
      value: Array<string>;
    };
    /** The name of the baseline (the label of the block). */
    "baseline.name": {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The baseline artifact. */
    "baseline.artifact": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        folder: string;
        sha256: Digest;
        files: Array<File>;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** score(b): a number, or sealed until evaluation. */
    "baseline.score": {
      origin: "declared" | "default" | "profile" | "computed";
      value: Number | {
        sealed: Digest;
        at?: string;
      };
    };
    /** The target artifact of a retrospective registration. */
    "target.artifact"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        folder: string;
        sha256: Digest;
        files: Array<File>;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** x of a retrospective registration. */
    "target.score"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Score: 0 <= value <= 1. */
      value: Number;
    };
    /** The model as the kernel records it. Kernel field: model_id. */
    "model.id": {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The model id asked of the provider. */
    "model.requested": {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The only ids that a provider receipt may name. */
    "model.reported": {
      origin: "declared" | "default" | "profile" | "computed";
      value: Array<string>;
    };
    /** How the model acts: program, execution, image. Kernel field: interface_hash. */
    "model.interface": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "claude_code";
        execution: {
          choice: "docker";
        } | {
          choice: "host";
        };
        image?: string;
        effort: {
          choice: "low";
        } | {
          choice: "medium";
        } | {
          choice: "high";
        } | {
          choice: "max";
        };
      } | {
        choice: "other";
        description: string;
      };
    };
    /** The tools, the same for target and controls. */
    "model.tools": {
      origin: "declared" | "default" | "profile" | "computed";
      value: Array<string>;
    };
    /** Whether a contribution of Web access is claimed, which needs an intervention of its own. */
    "information.web_contribution"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "not_claimed";
      } | {
        choice: "claimed";
      };
    };
    /** The intervention that withholds the Web, where a contribution of it is claimed. */
    "information.web_withholding"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Which later action uses an observation of the lineage. */
    "information.consumed"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Model turns in one session. */
    "budget.session.turns": {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of turns. */
      value: number;
    };
    /** Money that one session may spend; dcp-harness limits each turn to its share. */
    "budget.session.cost": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
      };
    };
    /** Wall-clock time of one session; dcp-harness limits each turn to its share. */
    "budget.session.time": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "s";
      };
    };
    /** Model turns in one session. */
    "budget.challenger.turns"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of turns. */
      value: number;
    };
    /** Money that one session may spend; dcp-harness limits each turn to its share. */
    "budget.challenger.cost"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
      };
    };
    /** Wall-clock time of one session; dcp-harness limits each turn to its share. */
    "budget.challenger.time"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "s";
      };
    };
    /** Memory of the session's container. */
    "budget.session.memory"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "B";
      };
    };
    /** Processors of the session's container. */
    "budget.session.cpus"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Positive: 0 < value <= 1000000000. */
      value: Number;
    };
    /** Memory of a challenger's container. */
    "budget.challenger.memory"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "B";
      };
    };
    /** Processors of a challenger's container. */
    "budget.challenger.cpus"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Positive: 0 < value <= 1000000000. */
      value: Number;
    };
    /** Money for the whole audit. */
    "budget.audit.cost"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
      };
    };
    /** Sessions for the whole audit. */
    "budget.audit.sessions"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of sessions. */
      value: number;
    };
    /** Wall-clock time for the whole audit. */
    "budget.audit.time"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "s";
      };
    };
    /** The smallest useful gain over the baseline. Paper: Gate 1, Equation 1. Kernel field: delta_min. */
    "thresholds.delta_min": {
      origin: "declared" | "default" | "profile" | "computed";
      /** PositiveProbability: 0 < value <= 1. */
      value: Number;
    };
    /** The tolerance of the recovery rule: score >= x - ε recovers. Paper: Equation 2. Kernel field: kappa. */
    "thresholds.epsilon": {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The recovery probability that the zero-failure bound must not exceed. Paper: Equation 3. Kernel field: rho. */
    "thresholds.rho": {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** The recall that the positive controls must prove. Paper: Gate 2, adequacy. Kernel field: positive_control_recall_min. */
    "thresholds.recall_min"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** PositiveProbability: 0 < value <= 1. */
      value: Number;
    };
    /** The feedback effect that Evidence needs, before the calibration margin. Paper: Gate 3. Kernel field: delta_evidence. */
    "thresholds.delta_evidence"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** PositiveProbability: 0 < value <= 1. */
      value: Number;
    };
    /** The equivalence band of the null calibration. Paper: Gate 3. Kernel field: delta_sham. */
    "thresholds.delta_sham"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** PositiveProbability: 0 < value <= 1. */
      value: Number;
    };
    /** The bound on neutral recovery that a necessity claim needs. Paper: Gate 3. Kernel field: rho_placebo. */
    "thresholds.rho_placebo"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** The whole error budget of this audit (the number of the block). Kernel field: alpha_total. */
    "errors.total": {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** Alpha of Gate 1. Kernel field: alpha_main. */
    "errors.main": {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** Alpha shared by all candidate score tests. Kernel field: alpha_score. */
    "errors.score": {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** Alpha of the zero-failure bound on recovery. Kernel field: alpha_recovery. */
    "errors.recovery": {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** Alpha of the positive controls' recall bound. Kernel field: alpha_adequacy. */
    "errors.adequacy": {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** Alpha of the feedback effect's interval. Kernel field: alpha_evidence. */
    "errors.evidence"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** Alpha of the null calibration's interval. Kernel field: alpha_sham. */
    "errors.sham"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** Alpha of the neutral recovery bound. Kernel field: alpha_neutral. */
    "errors.neutral"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** The rule that selects the target artifact. */
    "selection.rule": {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The rule that ends the run. */
    "selection.stop": {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Independent challenger episodes to run. Paper: Equation 3. Kernel field: min_n_ind. */
    "gate.recovery.episodes"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of episodes. */
      value: number;
    };
    /** Episodes beyond the least n that may be lost to infrastructure. */
    "gate.recovery.spare"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of episodes. */
      value: number;
    };
    /** Positive-control episodes to run. Paper: Gate 2, adequacy. */
    "gate.recovery.positive_controls"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of controls. */
      value: number;
    };
    /** All candidates whose score test can change the decision (m_max). Kernel field: m_max. */
    "gate.recovery.candidates"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of candidates. */
      value: number;
    };
    /** How independent episodes are drawn. Kernel field: challenge_distribution_hash. */
    "gate.recovery.draws": {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** What challengers see of the Web: all observed bytes, or none where the target saw none. */
    "gate.recovery.web": {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "observed_bytes";
      } | {
        choice: "none";
      };
    };
    /** Candidates per episode; a best-of-k procedure is one episode. */
    "gate.recovery.best_of"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of candidates. */
      value: number;
    };
    /** The recovery stratum, as the kernel records it. Kernel field: recovery_stratum. */
    "gate.recovery.stratum"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The least share of valid candidates. Kernel field: min_valid_candidate_rate. */
    "gate.recovery.valid_rate"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The largest share of episodes lost to infrastructure. Kernel field: max_infrastructure_failure_rate. */
    "gate.recovery.infrastructure_failures"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The largest share of episodes that the model fails. Kernel field: max_model_failure_rate. */
    "gate.recovery.model_failures"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The rule that selects the checkpoint c. Paper: Gate 3. Kernel field: gate3_checkpoint_selection_rule_hash. */
    "gate.feedback.checkpoint"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "start";
      } | {
        choice: "after";
        event: string;
      };
    };
    /** Whether the checkpoint holds a part of the lineage. Kernel field: gate3_checkpoint_scope. */
    "gate.feedback.scope"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "lineage_prefix";
      } | {
        choice: "lineage_empty";
      };
    };
    /** The utility u: binary recovery, or the mean score. Paper: Equation 4. Kernel field: feedback_estimand. */
    "gate.feedback.utility"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "recovers";
      } | {
        choice: "mean_score";
      };
    };
    /** Feedback pairs to run. Kernel field: registered_n_feedback_pairs. */
    "gate.feedback.pairs"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of pairs. */
      value: number;
    };
    /** Null pairs to run. Kernel field: registered_n_sham_pairs. */
    "gate.feedback.null_pairs"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of pairs. */
      value: number;
    };
    /** The null tasks, whose answers are determined by E0. */
    "gate.feedback.null_tasks"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** The manifest of the development runs that shaped the neutral channel, disjoint from the confirmatory ones. */
    "gate.feedback.development"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** Whether it is claimed that feedback is necessary: neutral recovery is then bounded too. Kernel field: necessity_claim_requested. */
    "gate.feedback.necessity"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "not_claimed";
      } | {
        choice: "claimed";
      };
    };
    /** The least share of valid branches in each arm. Kernel field: min_feedback_arm_valid_rate. */
    "gate.feedback.valid_rate"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The largest share of branches that the model fails, in each arm. Kernel field: max_feedback_arm_model_failure_rate. */
    "gate.feedback.model_failures"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The largest share of pairs lost to infrastructure. Kernel field: max_feedback_pair_infrastructure_rate. */
    "gate.feedback.infrastructure_failures"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The id of the null calibration study, as the kernel records it. Kernel field: sham_calibration_id. */
    "gate.feedback.calibration"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Feedback pairs that may be replaced. Kernel field: max_feedback_pair_replacements. */
    "gate.feedback.replacements.pairs"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of pairs. */
      value: number;
    };
    /** Null pairs that may be replaced. Kernel field: max_sham_pair_replacements. */
    "gate.feedback.replacements.null_pairs"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** A number of pairs. */
      value: number;
    };
    /** When a pair may be replaced. Kernel field: gate3_pair_replacement_policy. */
    "gate.feedback.replacements.only"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "before_first_action";
      };
    };
    /** What the policy answers. */
    "policy.truthful.sends"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** What the message keeps of the truthful one: timing, schema, length. */
    "policy.truthful.preserves"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: Array<{
        choice: "timing";
      } | {
        choice: "schema";
      } | {
        choice: "length";
        /** Probability: 0 <= value <= 1. */
        within: Number;
      }>;
    };
    /** The code that makes the messages. */
    "policy.truthful.generator"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** What the policy answers. */
    "policy.neutral.sends"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** What the message keeps of the truthful one: timing, schema, length. */
    "policy.neutral.preserves"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: Array<{
        choice: "timing";
      } | {
        choice: "schema";
      } | {
        choice: "length";
        /** Probability: 0 <= value <= 1. */
        within: Number;
      }>;
    };
    /** The code that makes the messages. */
    "policy.neutral.generator"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** What the policy answers. */
    "policy.reference_null.sends"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** What the message keeps of the truthful one: timing, schema, length. */
    "policy.reference_null.preserves"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: Array<{
        choice: "timing";
      } | {
        choice: "schema";
      } | {
        choice: "length";
        /** Probability: 0 <= value <= 1. */
        within: Number;
      }>;
    };
    /** The code that makes the messages. */
    "policy.reference_null.generator"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** What the policy answers. */
    "policy.challenger.sends": {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** What the message keeps of the truthful one: timing, schema, length. */
    "policy.challenger.preserves"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: Array<{
        choice: "timing";
      } | {
        choice: "schema";
      } | {
        choice: "length";
        /** Probability: 0 <= value <= 1. */
        within: Number;
      }>;
    };
    /** The code that makes the messages. */
    "policy.challenger.generator"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        sealed: Digest;
        at?: string;
      };
    };
    /** The recovery probability that is expected. */
    "expect.p_B"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The recall of positive controls that is expected. */
    "expect.recall"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The recovery probability under truthful feedback that is expected. */
    "expect.truthful"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The recovery probability under neutral feedback that is expected. */
    "expect.neutral"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The discordance of null pairs, in each direction, that is expected. */
    "expect.null"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The share of sessions lost to infrastructure that is expected. */
    "expect.losses"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** Probability: 0 <= value <= 1. */
      value: Number;
    };
    /** The probability of a conclusive audit that the design should reach. */
    "expect.assurance"?: {
      origin: "declared" | "default" | "profile" | "computed";
      /** OpenProbability: 0 < value < 1. */
      value: Number;
    };
    /** What a session is expected to cost. */
    "expect.session_cost"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
      };
    };
    /** How long a session is expected to take. */
    "expect.session_time"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        amount: Number;
        unit: "s";
      };
    };
    /** Who claims. */
    "parties.claimant"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Who audits. */
    "parties.authority"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** How the two are independent. */
    "parties.independence"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** What the authors had already seen when they registered. */
    "notes.exposure"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Development runs, which are not confirmatory. */
    "notes.pilots"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Analyses that are planned but decide nothing. */
    "notes.exploratory"?: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** A known component that both sides may use (K). */
    [key: `information.known.${string}`]: {
      origin: "declared" | "default" | "profile" | "computed";
      value: string;
    };
    /** Something present at the start, fixed guidance included (E0). */
    [key: `information.given.${string}`]: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        file: string;
        sha256: Digest;
        size: Count;
      } | {
        folder: string;
        sha256: Digest;
        files: Array<File>;
      } | {
        sealed: Digest;
        at?: string;
      } | string;
    };
    /** Web access; every byte seen is recorded and disclosed to challengers (W_obs). */
    [key: `information.web.${string}`]: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "none";
      } | {
        choice: "hosts";
        allowed: Array<string>;
        /** A number of requests. */
        at_most: number;
        /** A number of redirects. */
        redirects: number;
        raw?: {
          amount: Number;
          unit: "B";
        };
        delivered?: {
          amount: Number;
          unit: "B";
        };
        timeout?: {
          amount: Number;
          unit: "s";
        };
        subdomains: {
          choice: "no";
        } | {
          choice: "yes";
        };
      };
    };
    /** What comes back because the agent chose an action (L*). */
    [key: `information.lineage.${string}`]: {
      origin: "declared" | "default" | "profile" | "computed";
      value: {
        choice: "feedback";
        what: string;
      } | {
        choice: "guidance";
        what: string;
      };
    };
  };
  plan: Plan;
  /** The audit slot; local when no authority reserved it. */
  slot: {
    id: Text;
    receipt: Digest;
    local: boolean;
  };
  rules: Array<{
    code: Text;
    name: Text;
    origin: Text;
    condition: Text;
    evidence: Text;
    status: "proved" | "entailed" | "deferred" | "refuted";
  }>;
  obligations: Array<{
    code: Text;
    origin: Text;
    condition: Text;
    residual?: Text;
    gate?: Text;
    status: "deferred" | "entailed";
    expression: Expression;
    known: { [key: string]: Text };
    margin?: Number;
  }>;
  waivers: Array<{
    code: Text;
    name: Text;
    message: Text;
    reason: Text;
  }>;
  /** The digest of every contract by name. */
  contracts: { [key: string]: Digest };
};
