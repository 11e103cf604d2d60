using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Runtime;
using Orleans.Services;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>A grain service needs an interface.</summary>
public interface IDepositService : IGrainService;

/// <summary>Runs one transaction over two accounts when its silo starts.</summary>
public sealed class DepositService(
    GrainId id, global::Orleans.Runtime.Silo silo, ILoggerFactory loggers, ITransactionClient transactions,
    IGrainFactory grains)
    : GrainService(id, silo, loggers), IDepositService
{
    private readonly TaskCompletionSource _deposited = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Deposited => _deposited.Task;

    protected override async Task StartInBackground()
    {
        try
        {
            await transactions.RunTransaction(TransactionOption.Create, async () =>
            {
                await grains.GetGrain<IAccount>(1).Deposit(1);
                await grains.GetGrain<IAccount>(2).Deposit(1);
            });
            _deposited.TrySetResult();
        }
        catch (Exception exception)
        {
            _deposited.TrySetException(exception);
        }
    }
}
