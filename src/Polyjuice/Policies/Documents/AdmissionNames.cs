namespace Polyjuice.Policies;

/// <summary>Admissions as policy files name them.</summary>
internal static class AdmissionNames
{
    /// <summary>All of them.</summary>
    public static readonly (string Text, PolicyAdmission Value)[] All =
    [
        ("run", PolicyAdmission.Run),
        ("dry-run", PolicyAdmission.DryRun),
        ("dry-run+reserve", PolicyAdmission.DryRunReserve),
        ("declared+reserve", PolicyAdmission.DeclaredReserve),
        ("auto", PolicyAdmission.Auto),
    ];

    /// <summary>The name of one.</summary>
    public static string Of(PolicyAdmission admission) => Array.Find(All, known => known.Value == admission).Text;
}
