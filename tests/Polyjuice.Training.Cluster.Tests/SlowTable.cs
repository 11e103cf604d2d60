using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Polyjuice.Policies;

namespace Polyjuice.Training.Cluster.Tests;

/// <summary>
/// A table under which each grain call takes so much longer that no busy machine hides it. It says what another one
/// says: the application looks which is in force.
/// </summary>
internal static class SlowTable
{
    private const string Name = "slow";
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(60);

    /// <summary>The table, by one of its names.</summary>
    /// <param name="suffix">What is behind "slow".</param>
    public static PolicyDocument Document(string suffix = "") =>
        BuiltinPolicies.Get("locking").Document with { Name = Name + suffix };

    /// <summary>The application, in which it is slow.</summary>
    /// <param name="application">The application.</param>
    public static TrainedApplication Slowed(this TrainedApplication application) => application with
    {
        ConfigureSilo = silo => silo.AddIncomingGrainCallFilter(static async context =>
        {
            var policies = context.TargetContext.ActivationServices.GetRequiredService<PolicyStore>();
            if (context.InterfaceMethod.DeclaringType?.Namespace == "BankAccount.Grains"
                && policies.Policy.Name.StartsWith(Name, StringComparison.Ordinal))
                await Task.Delay(s_pause);
            await context.Invoke();
        }),
    };
}
