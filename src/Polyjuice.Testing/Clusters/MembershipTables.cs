using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Orleans.Hosting;

namespace Polyjuice.Testing;

/// <summary>
/// Puts the gate before the membership table when all of a silo's services are known: Orleans adds the table last.
/// </summary>
internal sealed class MembershipTables(NetworkNode own) : IServiceProviderFactory<IServiceCollection>
{
    /// <inheritdoc/>
    public IServiceCollection CreateBuilder(IServiceCollection services)
    {
        services.Decorate<IMembershipTable>((inner, _) => new GatedMembershipTable(inner, own));
        return services;
    }

    /// <inheritdoc/>
    public IServiceProvider CreateServiceProvider(IServiceCollection containerBuilder) =>
        containerBuilder.BuildServiceProvider();

    /// <summary>Writes into the table that a silo is dead, whoever may reach the table.</summary>
    /// <returns>
    /// The membership from then on; <see langword="null"/> if the
    /// table does not know the silo, or knows that it is dead.
    /// </returns>
    public static async Task<MembershipVersion?> DeclareDeadAsync(IMembershipTable table, SiloAddress silo)
    {
        while (true)
        {
            var rows = await table.ReadAllAsync(CancellationToken.None).ConfigureAwait(false);
            if (rows.TryGet(silo) is not { } row || row.Item1.Status == SiloStatus.Dead) return null;
            row.Item1.Status = SiloStatus.Dead;
            var next = rows.Version.Next();

            // Somebody else may have written meanwhile.
            if (await table.UpdateRowAsync(row.Item1, row.Item2, next, CancellationToken.None).ConfigureAwait(false))
                return new(next.Version);
        }
    }
}
