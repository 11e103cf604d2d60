using Orleans;
using Polyjuice.Lab.Workloads;
using Smallbank.Grains;
using Smallbank.Plain;

namespace Smallbank.Workload;

/// <summary>The accounts as a client sees them, whether transactional or plain.</summary>
internal interface IBank
{
    Task Open(long account, long checking, long savings);

    Task<long> Balance(long account);

    Task DepositChecking(long account, long amount);

    Task TransactSavings(long account, long amount);

    Task Amalgamate(long account, long into);

    Task<long> WriteCheck(long account, long amount);

    Task<bool> SendPayment(long account, long to, long amount);

    Task MultiTransfer(long account, long[] to, long amountEach);
}

/// <summary>Chooses the grains.</summary>
internal static class Bank
{
    public static IBank Of(IGrainFactory grains, WorkloadVariant variant) =>
        variant == WorkloadVariant.Plain ? new PlainBank(grains) : new TransactionalBank(grains);

    private sealed class TransactionalBank(IGrainFactory grains) : IBank
    {
        public Task Open(long account, long checking, long savings) => Grain(account).Open(checking, savings);

        public Task<long> Balance(long account) => Grain(account).Balance();

        public Task DepositChecking(long account, long amount) => Grain(account).DepositChecking(amount);

        public Task TransactSavings(long account, long amount) => Grain(account).TransactSavings(amount);

        public Task Amalgamate(long account, long into) => Grain(account).Amalgamate(into);

        public Task<long> WriteCheck(long account, long amount) => Grain(account).WriteCheck(amount);

        public Task<bool> SendPayment(long account, long to, long amount) => Grain(account).SendPayment(to, amount);

        public Task MultiTransfer(long account, long[] to, long amountEach) =>
            Grain(account).MultiTransfer(to, amountEach);

        private IAccountGrain Grain(long account) => grains.GetGrain<IAccountGrain>(account);
    }

    private sealed class PlainBank(IGrainFactory grains) : IBank
    {
        public Task Open(long account, long checking, long savings) => Grain(account).Open(checking, savings);

        public Task<long> Balance(long account) => Grain(account).Balance();

        public Task DepositChecking(long account, long amount) => Grain(account).DepositChecking(amount);

        public Task TransactSavings(long account, long amount) => Grain(account).TransactSavings(amount);

        public Task Amalgamate(long account, long into) => Grain(account).Amalgamate(into);

        public Task<long> WriteCheck(long account, long amount) => Grain(account).WriteCheck(amount);

        public Task<bool> SendPayment(long account, long to, long amount) => Grain(account).SendPayment(to, amount);

        public Task MultiTransfer(long account, long[] to, long amountEach) =>
            Grain(account).MultiTransfer(to, amountEach);

        private IPlainAccountGrain Grain(long account) => grains.GetGrain<IPlainAccountGrain>(account);
    }
}
