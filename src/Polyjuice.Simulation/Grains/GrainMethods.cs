using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Grains;

/// <summary>The methods that a cluster's calls run, each known once by its name.</summary>
internal sealed class GrainMethods
{
    private readonly Dictionary<string, GrainMethod> _methods = new(StringComparer.Ordinal);

    /// <summary>The method of an account that a step is.</summary>
    /// <param name="account">The account.</param>
    /// <param name="body">The step.</param>
    public GrainMethod Of(ParticipantKey account, Step body)
    {
        var verb = body switch
        {
            ReadStep => "Read",
            UpdateStep { Delta: < 0 } => "Withdraw",
            UpdateStep => "Deposit",
            _ => "Run",
        };
        return Named($"I{account.GrainClass}.{verb}");
    }

    /// <summary>The method of a name.</summary>
    public GrainMethod Named(string name)
    {
        if (!_methods.TryGetValue(name, out var method)) _methods.Add(name, method = new GrainMethod(name));
        return method;
    }
}
