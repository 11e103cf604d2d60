using Polyjuice.Policies;

namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>
/// The rows of the built-in tables <c>reserve</c> and <c>auto</c>, with another admission: what is compared is how
/// transactions are let in, and nothing else.
/// </summary>
internal sealed class AdmissionTable(string name, PolicyAdmission admission) : IPolicyCompiler
{
    /// <summary>Reserves what transfers declare, without a dry run.</summary>
    public const string Declared = "declared";

    /// <summary>The built-in <c>reserve</c> on silos that learn nothing: everything is run dry.</summary>
    public const string DryRunReserve = "dry-run+reserve";

    /// <summary>The built-in <c>auto</c>, with transfers that declare what they access.</summary>
    public const string AutoDeclared = "auto-declared";

    /// <summary>The built-in <c>auto</c>, with transfers that must not be run dry and declare nothing.</summary>
    public const string AutoUnmarked = "auto-unmarked";

    public string Name => name;

    /// <summary>Calls the method for transfers that says of them what the policy is about.</summary>
    public static Task Transfer(string policy, IRecordGrain from, long[] to) => policy switch
    {
        Declared or AutoDeclared => from.TransferDeclared(to),
        AutoUnmarked => from.TransferUnmarked(to),
        _ => from.Transfer(to),
    };

    public PolicyTable Compile(SiteRegistry registry, int version)
    {
        var builder = new PolicyTableBuilder(registry, Name, PolicyActions.ReadDirty);
        for (var type = 0; type <= builder.TypeCount; type++) builder.SetAdmission(type, admission);
        return builder.Build(version);
    }

    /// <summary>
    /// What the experiment compares, by name: <c>run</c>, <c>dry-run</c>, <c>dry-run+reserve</c>, <c>declared</c>,
    /// <c>auto-declared</c>, <c>auto-unmarked</c>, or a built-in table.
    /// </summary>
    public static IPolicyCompiler Of(string name) => name switch
    {
        "run" => new AdmissionTable(name, PolicyAdmission.Run),
        "dry-run" => new AdmissionTable(name, PolicyAdmission.DryRun),
        Declared => new AdmissionTable(name, PolicyAdmission.DeclaredReserve),
        DryRunReserve => BuiltinPolicies.Get("reserve"),
        AutoDeclared or AutoUnmarked => BuiltinPolicies.Get("auto"),
        _ => BuiltinPolicies.Get(name),
    };
}
