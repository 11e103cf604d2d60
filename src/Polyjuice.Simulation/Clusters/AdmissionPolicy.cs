using Polyjuice.Policies;

namespace Polyjuice.Simulation.Clusters;

/// <summary>One row for every site, and one admission for every type.</summary>
internal sealed class AdmissionPolicy(PolicyAdmission admission, PolicyActions actions) : IPolicyCompiler
{
    public string Name => "admission";

    public static AdmissionPolicy Of(PolicyAdmission admission, PolicyActions actions = PolicyActions.None) =>
        new(admission, actions);

    public PolicyTable Compile(SiteRegistry registry, int version)
    {
        var builder = new PolicyTableBuilder(registry, Name, actions);
        for (var type = 0; type <= builder.TypeCount; type++) builder.SetAdmission(type, admission);
        return builder.Build(version);
    }
}
