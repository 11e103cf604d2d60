using System.Transactions;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// The <see cref="TransactionScope"/> that a caller may happen to be in. What is stored here is no part of it, and
/// connections of an application's own data source would enlist.
/// </summary>
internal static class AmbientTransaction
{
    /// <summary>Leaves it until that is disposed; costs nothing where there is none.</summary>
    public static TransactionScope? Leave() => Transaction.Current is null
        ? null
        : new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled);
}
